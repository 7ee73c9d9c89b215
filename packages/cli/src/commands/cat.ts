import { type CatParameters, TroveApiError } from '@trove/client';
import { Exit, UsageError } from '@trove/commands';

import { reportError } from '../error-report.js';
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
    numbers: { alias: 'n' },
    context: { alias: 'C' },
  },
});

export const cat = command({
  name: 'cat',
  description: "Print an object's text or a part of it",
  args: {
    path: {
      type: 'positional',
      repeats: true,
      completes: 'object',
      description:
        'Local paths or URIs of objects, optionally with `:LINE-LINE` or the locator of a record',
    },
    ...options.args,
  },
  notes: [
    'On a terminal, control characters are shown as symbols. In a pipe the text is unchanged.',
    'Several objects are printed one after another, each below a line `==> URI <==`. An object that cannot be read is reported on ' +
      'stderr, the others are printed, and the exit code is 1. With `--json`, they are an array.',
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
    {
      command: 'trove cat src/main.ts:2 -n -C 5',
      does: 'print a numbered line and those around it',
    },
    {
      command: 'trove cat src/main.ts:2 --enclosing',
      does: 'print the whole function around a line',
    },
    { command: 'trove cat src/main.ts docs/guide.md', does: 'print two objects' },
  ],
  async run(args, cli) {
    const request = options.request(args);
    requireJson(request.locator);
    const paths = args.texts('path');
    if (paths.some((path) => path.trim() === '')) throw new UsageError('PATH must not be blank');
    const [first = '', ...others] = paths;
    if (others.length > 0) return printObjects(cli, paths, request);
    const answer = await readPosition(cli, first, request);
    await (cli.json ? cli.printJson(answer.response) : printAnswer(cli, answer, request));
  },
});

type Request = Omit<CatParameters, 'path'>;
type Answer = Awaited<ReturnType<typeof readPosition>>;

/** Prints objects below headers. Reports unreadable ones, continues with the others, and then fails. */
async function printObjects(cli: Cli, texts: readonly string[], request: Request): Promise<void> {
  const responses: Answer['response'][] = [];
  let failed = 0;
  let isFirst = true;
  for (const text of texts) {
    const answer = await readPosition(cli, text, request).catch((error: unknown) => {
      if (!(error instanceof TroveApiError)) throw error;
      return error;
    });
    if (answer instanceof TroveApiError) {
      failed++;
      await reportError(cli.err, answer, cli.json);
      continue;
    }
    responses.push(answer.response);
    if (cli.json) continue;
    const uri = cli.out.safeName(displayUri(answer.response.source, cli));
    await cli.out.line(`${isFirst ? '' : '\n'}==> ${uri} <==`);
    isFirst = false;
    await printAnswer(cli, answer, request, { endsLine: true });
  }
  if (cli.json) await cli.printJson(responses);
  if (failed > 0) throw new Exit(1);
}

async function printAnswer(
  cli: Cli,
  { response, range }: Answer,
  { density }: Request,
  { endsLine = false } = {},
): Promise<void> {
  if ('partial' in response) {
    await printContent(cli, response, {
      isGenerated: endsLine || density === 'peek' || density === 'skim',
    });
    if (range !== undefined && response.content === '') {
      const shown = cli.err.safeName(displayUri(response.source, cli));
      await cli.err.line(`note: ${shown} has no lines ${range}`);
    } else if (response.enclosed === false) {
      await cli.err.line('note: no definition encloses the line');
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
}

/**
 * Reads an object. If there is no object of this name, reads the lines or the record that the end of the name locates.
 */
async function readPosition(cli: Cli, text: string, request: Request) {
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
