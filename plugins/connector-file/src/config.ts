export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file of the root folder. They have the last word: "!build/" takes in what another rule leaves out.',
    },
  },
} as const;
