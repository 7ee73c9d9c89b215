/** Not generated, because some operations require the graph name. */
export const graphOption = {
  type: 'string',
  parameter: 'graph_name',
  alias: 'g',
  valueHint: 'NAME',
  description: 'The graph; without it, the default one of the server',
} as const;
