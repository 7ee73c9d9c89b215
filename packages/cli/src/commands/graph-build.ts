import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

import type { ImportResponse } from '@trove/client';
import { Exit, UsageError } from '@trove/commands';

import { readDocuments } from '../graph/documents-file.js';
import { runBuild } from '../graph/build-progress.js';
import { displayText } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { plural } from '../terminal/numbers.js';
import { graphOption } from './graph-option.js';
import { optionsOf } from './parameters.js';

const extract_triplets = {
  name: 'extract',
  description: 'Extract triplets from the documents; --no-extract finds only names',
} as const;

// The ids are in the file.
const addOptions = optionsOf('addDocuments', {
  omit: ['graph_name', 'ids'],
  change: { extract_triplets },
});

export const add = command({
  name: 'add',
  description: 'Build a graph from a file with one JSON document per line',
  args: {
    file: {
      type: 'positional',
      completes: 'file',
      description:
        'Lines such as {"text": "…", "id": "…", "metadata": {}, "triplets": [["a", "b", "c"]]}',
    },
    graph: graphOption,
    ...addOptions.args,
  },
  notes: [
    'The new graph replaces the old one when it is complete. Until then, queries use the old graph.',
  ],
  examples: [
    { command: 'trove graph add people.jsonl -g people', does: 'build the graph `people`' },
  ],
  async run(args, cli) {
    const body = readDocuments(args.required('file'), cli.cwd);
    const graphName = args.text('graph');
    const notice = `Building a graph of ${plural(body.documents.length, 'document')}`;
    const answer = await runBuild(cli, graphName, notice, (graph) =>
      graph.addDocuments({
        graph_name: graphName,
        body: { ...body, ...addOptions.request(args) },
      }),
    );
    if (cli.json) return cli.printJson(answer);
    await cli.out.line(`${plural(answer.num_documents, 'document')}, ${connected(answer)}`);
    await printErrors(cli, answer.errors);
  },
});

const importOptions = optionsOf('importSources', {
  omit: ['graph_name'],
  change: {
    chunk_documents: {
      name: 'chunks',
      description: 'Split documents into passages; --no-chunks keeps them whole',
    },
    chunk_overlap: { description: 'Characters that adjacent chunks share (default 200)' },
    extract_triplets,
  },
});

export const importCommand = command({
  name: 'import',
  description: 'Build a graph from files, folders, web pages and registered sources',
  args: {
    sources: {
      type: 'positional',
      repeats: true,
      completes: 'file',
      description: 'A path, a pattern such as "notes/**/*.md", a URL, or the URI of a source',
    },
    graph: graphOption,
    ...importOptions.args,
  },
  notes: [
    'The new graph replaces the old one when it is complete. Until then, queries use the old graph. Files are uploaded ' +
      'to a server on another machine. Exits with 1 if no document could be loaded.',
  ],
  examples: [
    { command: 'trove graph import ~/notes', does: 'build the default graph from a folder' },
    {
      command: 'trove graph import ~/notes "docs/**/*.md" -g notes',
      does: 'build the graph `notes` from a folder and a pattern',
    },
  ],
  async run(args, cli) {
    const sources = args.texts('sources');
    const options = { ...importOptions.request(args), graph_name: args.text('graph') };
    const targets = sources.map((source) => toTarget(source, cli.cwd, cli.uploadedFolders));
    const isSent = !cli.local && targets.every((target) => target.startsWith('/'));
    const notice = `Building a graph of ${plural(sources.length, 'source')}`;
    const answer = await runBuild(cli, options.graph_name, notice, async (graph) => {
      if (!isSent) return graph.importSources({ body: { sources: targets, ...options } });
      const files = await Promise.all(targets.map(fileAt));
      return graph.uploadDocuments({ body: { files, ...options } });
    });
    if (cli.json) await cli.printJson(answer);
    else await printImport(cli, answer);
    if (!answer.success) throw new Exit(1);
  },
});

async function fileAt(path: string): Promise<File> {
  const blob = await openAsBlob(path).catch(() => {
    throw new UsageError(`${path} cannot be read as a file`, [
      'A server on another machine accepts only files. Name files, or use a pattern that your shell expands.',
    ]);
  });
  return new File([blob], basename(path));
}

async function printImport(cli: Cli, answer: ImportResponse): Promise<void> {
  const { num_documents: documents, num_chunks: chunks } = answer;
  await cli.out.line(
    `${plural(documents, 'document')}, ${plural(chunks, 'passage')}, ${connected(answer)}`,
  );
  await printErrors(cli, answer.errors);
}

function connected(answer: { num_entities: number; num_relations: number }): string {
  const entities = plural(answer.num_entities, 'entity', 'entities');
  return `${entities}, ${plural(answer.num_relations, 'relation')}`;
}

async function printErrors(cli: Cli, errors: readonly string[]): Promise<void> {
  for (const error of errors) await cli.err.line(cli.err.safeName(displayText(error, cli)));
}
