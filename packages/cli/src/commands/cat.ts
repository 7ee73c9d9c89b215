import { type CatParameters, TroveApiError } from '@trove/client';
import { UsageError } from '@trove/commands';

import { displayUri } from '../paths/display.js';
import { parsePosition } from '../paths/position.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatSize } from '../terminal/numbers.js';
import { renderPairs } from '../terminal/table.js';
import { printContent } from './content.js';
import { optionsOf } from './parameters.js';

const options = optionsOf('cat', {
  change: {
    range: { alias: 'r', valueHint: 'START:END' },
    bytes: { valueHint: 'START:END' },
    locator: { valueHint: 'JSON' },
  },
});

export const cat = command({
  name: 'cat',
  description: "Print an object's text or a part of it",
  args: {
    path: {
      type: 'positional',
      completes: 'object',
      description:
        'A local path or the URI of an object, optionally with `:LINE-LINE` or the locator of a record',
    },
    ...options.args,
  },
  notes: [
    'On a terminal, control characters are shown as symbols. In a pipe the text is unchanged.',
  ],
  examples: [
    { command: 'trove cat docs/guide.md --range 10:24', does: 'print some lines' },
    { command: 'trove cat docs/guide.md:10-24', does: 'print the same lines, copied from a hit' },
    {
      command: 'trove cat sqlite:///data/shop.db/main/orders/rows.jsonl --range 1:20',
      does: 'print a page of a table, one JSON record per line',
    },
    {
      command: `trove cat 'sqlite:///data/shop.db/main/orders/rows.jsonl:{"id":7}'`,
      does: 'print a record, copied from a hit',
    },
    {
      command: `trove cat docs/guide.md --locator '{"lines": [3, 9]}'`,
      does: "print the lines of a hit's locator",
    },
    { command: 'trove cat docs/guide.md --bytes 0:40', does: 'print a range of bytes' },
    { command: 'trove cat src/main.ts --density peek', does: 'print an outline' },
  ],
  async run(args, cli) {
    const request = options.request(args);
    requireJson(request.locator);
    const { response, range } = await readPosition(cli, args.required('path'), request);
    if (cli.json) return cli.printJson(response);
    if ('partial' in response) {
      await printContent(cli, response, {
        isGenerated: request.density === 'peek' || request.density === 'skim',
      });
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

/**
 * Reads an object. If there is no object of this name, reads the lines or the record that the end of the name locates.
 */
async function readPosition(cli: Cli, text: string, request: Omit<CatParameters, 'path'>) {
  const path = toTarget(text, cli.cwd, cli.uploadedFolders);
  const read = async (parameters: CatParameters) => ({
    response: await cli.client.browse.cat(parameters),
    range: parameters.range,
  });
  try {
    return await read({ ...request, path });
  } catch (error) {
    const { target, line, lastLine, locator } = parsePosition(text, cli.cwd, cli.uploadedFolders);
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

function requireJson(locator: string | undefined): void {
  if (locator === undefined) return;
  try {
    JSON.parse(locator);
  } catch {
    throw new UsageError('--locator must be JSON', [`Quote it: --locator '{"lines":[10,24]}'`]);
  }
}
