import type { Graph } from '@trove/client';
import { Exit, group, UsageError } from '@trove/commands';

import { callGraphApi, type GraphApi } from '../graph/graph-api.js';
import { command } from '../session/command.js';
import { formatCount } from '../terminal/numbers.js';
import { renderPairs, renderTable } from '../terminal/table.js';
import { add, importCommand } from './graph-build.js';
import { graphOption } from './graph-option.js';
import { query } from './graph-query.js';
import { optionsOf } from './parameters.js';

const list = command({
  name: 'list',
  description: 'List the graphs with their sizes',
  args: {},
  examples: [{ command: 'trove graph list', does: 'list the graphs' }],
  async run(_args, cli) {
    const { graphs, rows } = await callGraphApi(cli, async (api) => {
      const answer = await api.listGraphs();
      return { ...answer, rows: cli.json ? [] : await rowsOf(api, answer.graphs) };
    });
    if (cli.json) return cli.printJson(graphs);
    if (graphs.length === 0) return cli.err.line('No graphs yet: trove graph import PATH');
    const columns = [
      { title: 'GRAPH' },
      ...['PASSAGES', 'ENTITIES', 'RELATIONS'].map((title) => ({ title, align: 'right' as const })),
      { title: '' },
    ];
    for (const line of renderTable(columns, rows)) await cli.out.line(line.trimEnd());
  },
});

const stats = command({
  name: 'stats',
  description: 'Show the size of a graph',
  args: {
    name: { type: 'positional', description: 'The name of the graph' },
  },
  examples: [{ command: 'trove graph stats notes', does: 'show its size' }],
  async run(args, cli) {
    const parameters = { graph_name: args.required('name') };
    const answer = await callGraphApi(cli, (api) => api.graphStats(parameters));
    if (cli.json) return cli.printJson(answer);
    const pairs = [
      ['graph', answer.graph_name],
      ['passages', formatCount(answer.passage_count)],
      ['entities', formatCount(answer.entity_count)],
      ['relations', formatCount(answer.relation_count)],
    ] as const;
    for (const line of renderPairs(pairs)) await cli.out.line(line);
  },
});

const neighborOptions = optionsOf('graphNeighbors', { change: { limit: { alias: 'n' } } });

const neighbors = command({
  name: 'neighbors',
  description: 'Show the neighbors of an entity and their relations',
  args: {
    entity: { type: 'positional', description: 'Its name in any spelling, or its id' },
    graph: { ...graphOption, description: 'The graph (required)' },
    ...neighborOptions.args,
  },
  examples: [
    { command: 'trove graph neighbors "Charles Babbage" -g people', does: 'show related entities' },
  ],
  async run(args, cli) {
    const graphName = args.text('graph') ?? '';
    if (graphName === '')
      throw new UsageError('--graph is missing', ['Name the graph: --graph NAME']);
    const parameters = {
      graph_name: graphName,
      entity_id: args.required('entity'),
      ...neighborOptions.request(args),
    };
    const answer = await callGraphApi(cli, (api) => api.graphNeighbors(parameters));
    if (cli.json) return cli.printJson(answer);
    for (const { subject, predicate, object } of answer.relations) {
      await cli.out.line(cli.out.safeName(`${subject} — ${predicate} → ${object}`));
    }
  },
});

const remove = command({
  name: 'delete',
  description: 'Delete a graph. Its source documents are not affected',
  args: {
    name: { type: 'positional', description: 'The name of the graph' },
    yes: { type: 'boolean', alias: 'y', description: 'Skip the confirmation' },
  },
  examples: [{ command: 'trove graph delete notes -y', does: 'delete without confirmation' }],
  async run(args, cli) {
    const name = args.required('name');
    if (!args.flag('yes')) {
      if (cli.confirm === null)
        throw new UsageError('deleting a graph needs confirmation', ['Confirm it with -y.']);
      if (!(await cli.confirm(`Delete the graph ${cli.err.safeName(name)} permanently?`)))
        throw new Exit(1);
    }
    const answer = await callGraphApi(cli, (api) => api.deleteGraph({ graph_name: name }));
    await (cli.json ? cli.printJson(answer) : cli.out.line(answer.message));
  },
});

export const graph = group('graph', 'Build and query knowledge graphs', [
  list,
  importCommand,
  add,
  query,
  stats,
  neighbors,
  remove,
]);

async function rowsOf(api: GraphApi, graphs: readonly Graph[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const { name, has_all_collections: isWhole } of graphs) {
    const size = await api.graphStats({ graph_name: name });
    const counts = [size.passage_count, size.entity_count, size.relation_count];
    rows.push([name, ...counts.map(formatCount), isWhole ? '' : 'incomplete']);
  }
  return rows;
}
