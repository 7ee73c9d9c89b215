import { endpointProperties, ollamaBaseUrl } from '@trove/core/provider';

const properties = {
  model: {
    type: 'string',
    minLength: 1,
    description: 'Name of the model, such as gpt-4o-mini or gemma3.',
  },
  ...endpointProperties('/chat/completions'),
} as const;

export const openAiSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['model'],
  properties,
} as const;

/** The same for Ollama on this machine, with a model that also understands images. */
export const ollamaSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...properties,
    model: { ...properties.model, default: 'gemma3' },
    base_url: { ...properties.base_url, default: ollamaBaseUrl },
  },
} as const;
