export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ref: {
      type: 'string',
      default: 'HEAD',
      maxLength: 250,
      // Names that git allows for a ref, except options and revision expressions.
      pattern:
        '^[^\\s:~^?*\\[\\\\{}\\u0000-\\u001f\\u007f-][^\\s:~^?*\\[\\\\{}\\u0000-\\u001f\\u007f]*$',
      description: 'The branch, tag or commit to show. Default: the checked-out commit.',
    },
    commits: {
      type: 'integer',
      minimum: 0,
      maximum: 100_000,
      default: 10_000,
      description: 'Number of commits to show, newest first. 0 shows none.',
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file at the top of the repository. They take precedence: "!dist/" includes a folder that a built-in rule leaves out.',
    },
  },
} as const;
