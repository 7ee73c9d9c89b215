import { type CatParameters, TroveApiError } from '@trove/client';
import { UsageError } from '@trove/commands';

import { displayUri } from '../paths/display.js';
import { placeOf } from '../paths/place.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatSize } from '../terminal/numbers.js';
import { renderPairs } from '../terminal/table.js';
import { printContent } from './content.js';

const DENSITIES = ['peek', 'skim', 'deep'] as const;

export const cat = command({
  name: 'cat',
  description: "Print an object's text, or part of it",
  args: {
    path: {
      type: 'positional',
      completes: 'object',
      description:
        'A local path or the URI of an object; where a hit is may follow: `:LINE-LINE`, or the locator of a record',
    },
    range: {
      type: 'string',
      alias: 'r',
      valueHint: 'A:B',
      description: 'Lines A to B, counting from 1, both included; `A:` and `:B` work too',
    },
    bytes: {
      type: 'string',
      valueHint: 'A:B',
      description: 'Bytes A to B of a large text, counting from 0, without B',
    },
    locator: {
      type: 'string',
      valueHint: 'JSON',
      description: 'The locator of a search hit, as --json shows it',
    },
    meta: { type: 'boolean', description: 'Facts about the object instead of its text' },
    density: {
      type: 'string',
      valueHint: DENSITIES.join('|'),
      description:
        'peek: headings and signatures with their line numbers; skim: those and the first line under each; deep: everything',
    },
  },
  notes: [
    'On a terminal, control characters are shown as symbols; in a pipe the text comes through unchanged.',
  ],
  examples: [
    { command: 'trove cat docs/guide.md --range 10:24', does: 'some lines' },
    { command: 'trove cat docs/guide.md:10-24', does: 'the same, as hits are shown' },
    {
      command: 'trove cat sqlite:///data/shop.db/main/orders/rows.jsonl --range 1:20',
      does: 'a page of a table, each record as a line of JSON',
    },
    {
      command: `trove cat 'sqlite:///data/shop.db/main/orders/rows.jsonl:{"id":7}'`,
      does: 'a record, as hits are shown',
    },
    {
      command: `trove cat docs/guide.md --locator '{"lines": [3, 9]}'`,
      does: 'what a hit points at',
    },
    { command: 'trove cat docs/guide.md --bytes 0:40', does: 'a part, in bytes' },
    { command: 'trove cat src/main.ts --density peek', does: 'an outline' },
  ],
  async run(args, cli) {
    const density = args.oneOf('density', DENSITIES);
    const { response, range } = await readPlace(cli, args.required('path'), {
      range: args.text('range'),
      bytes: args.text('bytes'),
      locator: locatorOf(args.text('locator')),
      meta: args.flag('meta') || undefined,
      density,
    });
    if (cli.json) return cli.printJson(response);
    if ('partial' in response) {
      await printContent(cli, response, { isMade: density === 'peek' || density === 'skim' });
      if (range !== undefined && response.content === '') {
        const shown = cli.err.safeName(displayUri(response.source, cli));
        await cli.err.line(`note: ${shown} has no lines ${range}`);
      }
      return;
    }
    const size = response.size_hint;
    const pairs = renderPairs([
      ['source', displayUri(response.source, cli)],
      ['media type', response.media_type ?? 'unknown'],
      ['size', size === null ? 'unknown' : formatSize(size)],
      ['fingerprint', response.fingerprint ?? 'none'],
    ]);
    for (const line of pairs) await cli.out.line(cli.out.safeName(line));
  },
});

/** Reads an object; if there is none that is called like this, the lines or the record that its end names. */
async function readPlace(cli: Cli, text: string, request: Omit<CatParameters, 'path'>) {
  const path = toTarget(text, cli.cwd, cli.sent);
  const read = async (parameters: CatParameters) => ({
    response: await cli.client.browse.cat(parameters),
    range: parameters.range,
  });
  try {
    return await read({ ...request, path });
  } catch (error) {
    const { target, line, lastLine, locator } = placeOf(text, cli.cwd, cli.sent);
    const isWhole = [request.range, request.bytes, request.locator].every(
      (part) => part === undefined,
    );
    const isMissing = error instanceof TroveApiError && error.code === 'not_found';
    if (!isWhole || !isMissing) throw error;
    if (locator !== null) return read({ ...request, path: target, locator });
    if (line === null) throw error;
    return read({ ...request, path: target, range: `${line}:${lastLine ?? line}` });
  }
}

function locatorOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw new UsageError('--locator must be JSON', [
      `Put it in single quotes: --locator '{"lines":[10,24]}'`,
    ]);
  }
}
