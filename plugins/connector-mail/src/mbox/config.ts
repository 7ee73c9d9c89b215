export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    folders: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 1000 },
      default: [],
      description:
        'Folders of mail to take in, with those below them, as `trove ls` shows them: `Archive/2024`. None: all.',
    },
    attachments: {
      type: 'boolean',
      default: true,
      description: 'Whether attachments are taken in, too.',
    },
  },
} as const;
