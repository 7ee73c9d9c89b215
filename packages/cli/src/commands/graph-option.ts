export const graphOption = {
  type: 'string',
  alias: 'g',
  valueHint: 'NAME',
  description: 'The graph; without it, the default one of the server',
} as const;
