import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

import type { ImportResponse } from '@trove/client';

import { Exit, UsageError } from '../failure.js';
import { command, group } from '../framework/command.js';
import { printAnswer } from '../graph/answer.js';
import { readDocuments } from '../graph/documents-file.js';
import { waitingFor } from '../graph/waiting.js';
import { displayText } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { formatCount, plural } from '../terminal/numbers.js';
import { renderPairs, renderTable } from '../terminal/table.js';

const GRAPH = {
  type: 'string',
  alias: 'g',
  valueHint: 'NAME',
  description: 'The graph; without it, the default one of the server',
} as const;
const EXTRACT = {
  type: 'boolean',
  default: true,
  description: 'Extract what the documents state; --no-extract builds from names alone',
} as const;

const list = command({
  name: 'list',
  description: 'List the graphs, with how much they hold',
  args: {},
  examples: [{ command: 'trove graph list', does: 'which graphs are there?' }],
  async run(_args, cli) {
    const { graphs } = await cli.client.graph.listGraphs();
    if (cli.json) return cli.printJson(graphs);
    if (graphs.length === 0) return cli.err.line('No graphs yet: trove graph import PATH');
    const rows: string[][] = [];
    for (const { name, has_all_collections: isWhole } of graphs) {
      const stats = await cli.client.graph.graphStats({ graph_name: name });
      const counts = [stats.passage_count, stats.entity_count, stats.relation_count];
      rows.push([name, ...counts.map(formatCount), isWhole ? '' : 'incomplete']);
    }
    const columns = [
      { title: 'GRAPH' },
      ...['PASSAGES', 'ENTITIES', 'RELATIONS'].map((title) => ({ title, align: 'right' as const })),
      { title: '' },
    ];
    for (const line of renderTable(columns, rows)) await cli.out.line(line.trimEnd());
  },
});

const add = command({
  name: 'add',
  description: 'Build a graph from documents in a file, a line of JSON each',
  args: {
    file: {
      type: 'positional',
      completes: 'file',
      description:
        'Lines like {"text": "…", "id": "…", "metadata": {}, "triplets": [["a", "b", "c"]]}',
    },
    graph: GRAPH,
    extract: EXTRACT,
  },
  notes: ['The graph is replaced once it is whole; until then, questions see the old one.'],
  examples: [{ command: 'trove graph add people.jsonl -g people', does: 'build `people`' }],
  async run(args, cli) {
    const body = readDocuments(args.required('file'), cli.cwd);
    const answer = await waitingFor(
      cli,
      `Building a graph of ${body.documents.length} documents`,
      () =>
        cli.client.graph.addDocuments({
          graph_name: args.text('graph'),
          body: { ...body, extract_triplets: args.flag('extract') },
        }),
    );
    if (cli.json) return cli.printJson(answer);
    await cli.out.line(
      `${plural(answer.num_documents, 'document')}, ${formatCount(answer.num_entities)} entities, ${formatCount(answer.num_relations)} relations`,
    );
    await printErrors(cli, answer.errors);
  },
});

const importCommand = command({
  name: 'import',
  description: 'Build a graph from files, folders, pages of the web and registered sources',
  args: {
    sources: {
      type: 'positional',
      repeats: true,
      completes: 'file',
      description: 'A path, a pattern such as "notes/**/*.md", a URL, or the URI of a source',
    },
    graph: GRAPH,
    'chunk-size': {
      type: 'string',
      valueHint: 'N',
      description: 'Maximum number of characters in a passage (default 1000)',
    },
    'chunk-overlap': {
      type: 'string',
      valueHint: 'N',
      description: 'Characters that adjacent passages share (default 200)',
    },
    chunks: {
      type: 'boolean',
      default: true,
      description: 'Split documents into passages; --no-chunks keeps them whole',
    },
    extract: EXTRACT,
  },
  notes: [
    'The graph is replaced once it is whole; until then, questions see the old one. To a server on another machine, ' +
      'files are sent. Exits with 1 if nothing could be loaded.',
  ],
  examples: [
    { command: 'trove graph import ~/notes', does: 'build the default graph from a folder' },
    {
      command: 'trove graph import ~/notes "docs/**/*.md" -g notes',
      does: 'build `notes` from a folder and what a pattern matches',
    },
  ],
  async run(args, cli) {
    const sources = args.texts('sources');
    const options = {
      chunk_documents: args.flag('chunks'),
      chunk_size: args.integer('chunk-size'),
      chunk_overlap: args.integer('chunk-overlap'),
      extract_triplets: args.flag('extract'),
      graph_name: args.text('graph'),
    };
    const targets = sources.map((source) => toTarget(source, cli.cwd, cli.sent));
    const isSent = !cli.local && targets.every((target) => target.startsWith('/'));
    const answer = await waitingFor(
      cli,
      `Building a graph of ${plural(sources.length, 'source')}`,
      async () => {
        if (!isSent)
          return cli.client.graph.importSources({ body: { sources: targets, ...options } });
        const files = await Promise.all(targets.map(fileAt));
        return cli.client.graph.uploadDocuments({ body: { files, ...options } });
      },
    );
    if (cli.json) await cli.printJson(answer);
    else await printImport(cli, answer);
    if (!answer.success) throw new Exit(1);
  },
});

const query = command({
  name: 'query',
  description: 'Answer a question from a graph, with the passages that the answer is from',
  args: {
    question: { type: 'positional', description: 'In natural language' },
    graph: GRAPH,
    'top-k': {
      type: 'string',
      alias: 'k',
      valueHint: 'N',
      description: 'Passages that the answer is made from (default 5)',
    },
    expand: {
      type: 'string',
      valueHint: 'HOPS',
      description: 'Hops around what is found (default 1)',
    },
    filter: {
      type: 'string',
      valueHint: 'FILTER',
      description: 'Which documents count, by their metadata: year >= 2020',
    },
    rerank: {
      type: 'boolean',
      default: true,
      description: 'Let a language model, if the server has one, rank what was found',
    },
  },
  notes: [
    'Without a language model the answer quotes the sentences that fit best. Exits with 0 even if nothing was found.',
  ],
  examples: [
    { command: 'trove graph query "When are the tokens rotated?"', does: 'ask' },
    {
      command: `trove graph query "Who designed the engine?" -g people --filter 'year >= 1837'`,
      does: 'ask some',
    },
  ],
  async run(args, cli) {
    const response = await waitingFor(cli, 'Asking the graph', () =>
      cli.client.graph.queryGraph({
        graph_name: args.text('graph') ?? '',
        body: {
          question: args.required('question'),
          use_reranking: args.flag('rerank'),
          passage_top_k: args.integer('top-k'),
          expansion_degree: args.integer('expand'),
          filter: args.text('filter') ?? null,
        },
      }),
    );
    await (cli.json ? cli.printJson(response) : printAnswer(cli, response));
  },
});

const stats = command({
  name: 'stats',
  description: 'Show how much a graph holds',
  args: {
    name: { type: 'positional', description: 'The graph' },
  },
  examples: [{ command: 'trove graph stats notes', does: 'count' }],
  async run(args, cli) {
    const answer = await cli.client.graph.graphStats({
      graph_name: args.required('name'),
    });
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

const neighbors = command({
  name: 'neighbors',
  description: 'Show what an entity of a graph is connected with',
  args: {
    entity: { type: 'positional', description: 'Its name, in any spelling, or its id' },
    graph: { ...GRAPH, description: 'The graph; it must be named' },
    limit: {
      type: 'string',
      alias: 'n',
      valueHint: 'N',
      description: 'Neighbors at most (default 20)',
    },
  },
  examples: [{ command: 'trove graph neighbors "Charles Babbage" -g people', does: 'look around' }],
  async run(args, cli) {
    const graphName = args.text('graph') ?? '';
    if (graphName === '') throw new UsageError('Name the graph: --graph NAME');
    const answer = await cli.client.graph.graphNeighbors({
      graph_name: graphName,
      entity_id: args.required('entity'),
      limit: args.integer('limit'),
    });
    if (cli.json) return cli.printJson(answer);
    for (const { subject, predicate, object } of answer.relations) {
      await cli.out.line(cli.out.safeName(`${subject} — ${predicate} → ${object}`));
    }
  },
});

const remove = command({
  name: 'delete',
  description: 'Delete a graph; what it was built from is not touched',
  args: {
    name: { type: 'positional', description: 'The graph' },
    yes: { type: 'boolean', alias: 'y', description: 'Do not ask' },
  },
  examples: [{ command: 'trove graph delete notes -y', does: 'delete without being asked' }],
  async run(args, cli) {
    const name = args.required('name');
    if (!args.flag('yes')) {
      if (cli.ask === null) throw new UsageError('Say -y to delete a graph without being asked');
      if (!(await cli.ask(`Delete the graph ${cli.err.safeName(name)} for good?`)))
        throw new Exit(1);
    }
    const answer = await cli.client.graph.deleteGraph({ graph_name: name });
    await (cli.json ? cli.printJson(answer) : cli.out.line(answer.message));
  },
});

export const graph = group('graph', 'Build knowledge graphs from documents, and ask them', [
  list,
  importCommand,
  add,
  query,
  stats,
  neighbors,
  remove,
]);

async function fileAt(path: string): Promise<File> {
  const blob = await openAsBlob(path).catch(() => {
    throw new UsageError(`${path} cannot be read as a file`, [
      'Only files can be sent to a server on another machine: name them, or a pattern that your shell expands.',
    ]);
  });
  return new File([blob], basename(path));
}

async function printImport(cli: Cli, answer: ImportResponse): Promise<void> {
  const { num_documents: documents, num_chunks: chunks } = answer;
  await cli.out.line(
    `${plural(documents, 'document')}, ${plural(chunks, 'passage')}, ` +
      `${formatCount(answer.num_entities)} entities, ${formatCount(answer.num_relations)} relations`,
  );
  await printErrors(cli, answer.errors);
}

async function printErrors(cli: Cli, errors: readonly string[]): Promise<void> {
  for (const error of errors) await cli.err.line(cli.err.safeName(displayText(error, cli)));
}
