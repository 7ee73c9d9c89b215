/** Not generated, because some operations require the graph name. */
export const graphOption = {
  type: 'string',
  parameter: 'graph_name',
  alias: 'g',
  valueHint: 'NAME',
  description: "The graph (default: the server's default graph)",
} as const;
