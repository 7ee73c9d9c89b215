/** Settings of a plugin that speaks OpenAI's API with whoever does; `path` is what it asks for, such as `/embeddings`. */
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
        'API key, best given as env:NAME or file:/path. Leave it out for servers that need none.',
    },
  } as const;
}

/** Where Ollama answers on this machine. */
export const ollamaBaseUrl = 'http://127.0.0.1:11434/v1';

interface EndpointAdvice {
  readonly unknown: string;
  readonly unreachable?: string;
}

/** What to do about an endpoint that does not know the request. */
export const openAiAdvice: EndpointAdvice = {
  unknown: 'Check `base_url`, which usually ends in /v1, and `model`.',
};

/** What to do about an Ollama that does not know the model, or does not answer. */
export function ollamaAdvice(config: {
  readonly model: string;
  readonly base_url: string;
}): EndpointAdvice {
  return {
    unknown: `Run \`ollama pull ${config.model}\`, or set \`model\` to one that \`ollama list\` shows.`,
    unreachable: `Start Ollama with \`ollama serve\` (https://ollama.com), or set \`base_url\` to where it answers; it was looked for at ${config.base_url}.`,
  };
}
