export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file in the root folder. They take precedence: "!build/" includes a folder that another rule leaves out.',
    },
  },
} as const;
