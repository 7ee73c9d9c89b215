export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ref: {
      type: 'string',
      default: 'HEAD',
      maxLength: 250,
      // What git allows in the name of a ref, and nothing that it would take for an option or an expression.
      pattern:
        '^[^\\s:~^?*\\[\\\\{}\\u0000-\\u001f\\u007f-][^\\s:~^?*\\[\\\\{}\\u0000-\\u001f\\u007f]*$',
      description:
        'Which state is shown: a branch, a tag or a commit. Default: what is checked out.',
    },
    commits: {
      type: 'integer',
      minimum: 0,
      maximum: 100_000,
      default: 10_000,
      description: 'How many of the newest commits that lead there are shown; 0 for none.',
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file at the top of the repository. They take precedence: "!dist/" includes what a built-in rule leaves out.',
    },
  },
} as const;
