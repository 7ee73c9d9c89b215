import type { Infer, JsonSchema } from '@trove/core';
import { freeForm, nullableText, text } from './shared.js';

export const sourceKindsRequestSchema = {
  type: 'object',
  properties: {
    address: {
      ...text,
      maxLength: 4096,
      description: 'An address to recognise, such as `https://acme.atlassian.net/browse/OPS-1`.',
    },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

export const sourceKindsSchema = {
  type: 'object',
  title: 'SourceKinds',
  properties: {
    kinds: {
      type: 'array',
      description: 'The kinds of sources that can be added, by name.',
      items: {
        type: 'object',
        title: 'SourceKind',
        properties: {
          schemes: {
            type: 'array',
            items: { type: 'string' },
            description: 'The URI schemes of these sources, the proposed one first.',
          },
          name: { type: 'string', description: 'The name for people: `Jira`.' },
          content: { ...nullableText, description: 'What is indexed: `issues with comments`.' },
          rights: { ...nullableText, description: 'The rights that the login needs.' },
        },
        required: ['schemes', 'name', 'content', 'rights'],
        additionalProperties: false,
      },
    },
    recognised: {
      type: 'array',
      description: 'The sources that `address` may mean, the most specific one first.',
      items: {
        type: 'object',
        title: 'RecognisedSource',
        properties: {
          name: { type: 'string', description: 'The name of the kind of source.' },
          scheme: { type: 'string', description: 'The URI scheme of the source.' },
          target: { type: 'string', description: 'The target to add.' },
          config: { ...freeForm, description: 'Settings that follow from the address.' },
        },
        required: ['name', 'scheme', 'target', 'config'],
        additionalProperties: false,
      },
    },
  },
  required: ['kinds', 'recognised'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type SourceKinds = Infer<typeof sourceKindsSchema>;

export type SourceKindsRequest = Partial<Infer<typeof sourceKindsRequestSchema>>;
