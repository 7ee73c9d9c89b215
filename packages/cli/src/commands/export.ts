import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { exportText } from '@trove/client';
import { CommandError } from '@trove/commands';

import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { errorCode } from '../session/system-errors.js';
import { formatSize } from '../terminal/numbers.js';

export const exportCommand = command({
  name: 'export',
  description: 'Print or save an object of any size',
  args: {
    path: {
      type: 'positional',
      completes: 'object',
      description: 'A local path or the URI of an object',
    },
    output: {
      type: 'string',
      alias: 'o',
      valueHint: 'FILE',
      description: 'Save the text to this file',
    },
  },
  notes: ['An existing file is replaced only when all data has arrived.'],
  examples: [
    { command: 'trove export docs/guide.md -o guide.md', does: 'save a copy' },
    { command: 'trove export logs/all.log | wc -l', does: 'count the lines of a large object' },
  ],
  async run(args, cli) {
    const path = toTarget(args.required('path'), cli.cwd, cli.uploadedFolders);
    const output = args.text('output');
    const target = output === undefined ? undefined : resolve(cli.cwd, output);
    if (cli.json) {
      const request = { method: 'GET', path: '/v1/export', query: { path } };
      return deliver(cli, cli.client.http.stream(request), target);
    }
    const text = exportText(cli.client.http, { path });
    await deliver(cli, text, target);
    if (text.partial) await cli.err.line('note: the source returned only part of the text');
  },
});

async function deliver(
  cli: Cli,
  text: AsyncIterable<string>,
  target: string | undefined,
): Promise<void> {
  if (target === undefined) {
    for await (const piece of text) await cli.out.write(cli.out.safe(piece));
    return;
  }
  const unfinished = `${target}.${process.pid}.part`;
  const file = createWriteStream(unfinished);
  try {
    await pipeline(Readable.from(text), file);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw isSystemError(error)
      ? new CommandError('write_failed', `cannot write ${target} (${errorCode(error)})`, [
          'Free some disk space, or choose another file with -o.',
        ])
      : error;
  }
  await cli.err.line(`${formatSize(file.bytesWritten)} in ${target}`);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
