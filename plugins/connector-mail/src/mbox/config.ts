export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    folders: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 1000 },
      default: [],
      description:
        'Mail folders to include, with their subfolders, as shown by `trove ls`: `Archive/2024`. Default: all.',
    },
    attachments: {
      type: 'boolean',
      default: true,
      description: 'Whether to include attachments.',
    },
  },
} as const;
