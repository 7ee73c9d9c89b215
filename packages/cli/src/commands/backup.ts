import { setTimeout as delay } from 'node:timers/promises';

import type { BackupResponse } from '@trove/client';
import { CommandError } from '@trove/commands';

import { displayText } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatSize, formatCount } from '../terminal/numbers.js';

const pollMs = 200;

export const backup = command({
  name: 'backup',
  description: 'Back up all data of the server while it runs',
  args: {
    folder: {
      type: 'positional',
      completes: 'file',
      description: "An empty or new folder on the server's machine, or s3://bucket/folder",
    },
    wait: { type: 'boolean', default: true, description: 'Do not wait for the end of the backup' },
  },
  notes: [
    'The backup contains tokens and credentials. Only the owner of the server process can read its files.',
    'Caches are not part of it. `trove-server restore` restores it into another home.',
    'Exits with 1 if the backup failed.',
  ],
  examples: [{ command: 'trove backup /backups/monday', does: 'back up everything' }],
  async run(args, cli) {
    const to = toTarget(args.required('folder'), cli.cwd);
    let state: BackupResponse = await cli.client.server.startBackup({ body: { to } });
    if (!args.flag('wait')) {
      if (cli.json) return cli.printJson(state);
      return cli.err.line(`Backing up to ${cli.err.safeName(to)}`);
    }
    while (state.status === 'running' && state.to === to) {
      await delay(pollMs);
      state = await cli.client.server.getBackup();
    }
    if (cli.json) await cli.printJson(state);
    await report(cli, state);
  },
});

async function report(cli: Cli, state: BackupResponse): Promise<void> {
  const { status, to, files, bytes, warnings, detail } = state;
  if (status !== 'succeeded') {
    const reason = displayText(detail ?? status, cli);
    throw new CommandError(state.error ?? 'internal_error', `The backup failed: ${reason}`, [
      'Delete the folder, and try again.',
    ]);
  }
  if (cli.json) return;
  const size = `${formatCount(files)} files, ${formatSize(bytes)}`;
  await cli.out.line(`Backed up to ${cli.out.safeName(to ?? '')}: ${size}`);
  for (const text of warnings) await cli.err.line(`warning: ${cli.err.safe(text)}`);
}
