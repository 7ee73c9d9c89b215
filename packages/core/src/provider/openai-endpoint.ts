/** Returns the settings of a plugin for OpenAI-compatible servers. `path` is the endpoint, such as `/embeddings`. */
export function endpointProperties<const P extends string>(path: P) {
  return {
    base_url: {
      type: 'string',
      pattern: '^https?://',
      default: 'https://api.openai.com/v1',
      description: `Address of the API, usually ending in /v1; ${path} is added to it.`,
    },
    api_key: {
      type: 'string',
      writeOnly: true,
      description:
        'API key, preferably as env:NAME or file:/path. Omit it for servers that need none.',
    },
  } as const;
}

/** The default address of Ollama. */
export const ollamaBaseUrl = 'http://127.0.0.1:11434/v1';

interface EndpointAdvice {
  readonly unknown: string;
  readonly unreachable?: string;
}

/** Remedies for an endpoint that rejects the request. */
export const openAiAdvice: EndpointAdvice = {
  unknown: 'Check `base_url`, which usually ends in /v1, and `model`.',
};

/** Returns remedies for an Ollama server that lacks the model or does not respond. */
export function ollamaAdvice(config: {
  readonly model: string;
  readonly base_url: string;
}): EndpointAdvice {
  return {
    unknown: `Run \`ollama pull ${config.model}\`, or set \`model\` to one that \`ollama list\` shows.`,
    unreachable: `Start Ollama with \`ollama serve\` (https://ollama.com), or set \`base_url\` to its address. The configured address is ${config.base_url}.`,
  };
}
