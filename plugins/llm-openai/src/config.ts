const properties = {
  model: {
    type: 'string',
    minLength: 1,
    description: 'Name of the model, such as gpt-4o-mini or gemma3.',
  },
  base_url: {
    type: 'string',
    pattern: '^https?://',
    default: 'https://api.openai.com/v1',
    description: 'Address of the API, usually ending in /v1; /chat/completions is added to it.',
  },
  api_key: {
    type: 'string',
    writeOnly: true,
    description:
      'API key, best given as env:NAME or file:/path. Leave it out for servers that need none.',
  },
} as const;

export const openAiSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['model'],
  properties,
} as const;

/** The same for Ollama on this machine, with a model that understands images too. */
export const ollamaSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...properties,
    model: { ...properties.model, default: 'gemma3' },
    base_url: { ...properties.base_url, default: 'http://127.0.0.1:11434/v1' },
  },
} as const;
