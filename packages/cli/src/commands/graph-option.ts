/** By hand: some operations require the name, and others need not be given it. */
export const graphOption = {
  type: 'string',
  parameter: 'graph_name',
  alias: 'g',
  valueHint: 'NAME',
  description: 'The graph; without it, the default one of the server',
} as const;
