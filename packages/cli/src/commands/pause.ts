import { displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatWait } from '../terminal/numbers.js';

const target = {
  type: 'positional',
  completes: 'source',
  description: 'A local path or the URI of a source',
} as const;

export const pause = command({
  name: 'pause',
  description: 'Sync a source only on request, until it is resumed',
  args: { target },
  notes: ['Keeps the schedule. A running sync continues.'],
  examples: [{ command: 'trove connector pause ~/archive', does: 'pause the syncs of a source' }],
  run: (args, cli) => setPaused(cli, args.required('target'), true),
});

export const resume = command({
  name: 'resume',
  description: 'Sync a paused source on its schedule again',
  args: { target },
  examples: [{ command: 'trove connector resume ~/archive', does: 'end the pause of a source' }],
  run: (args, cli) => setPaused(cli, args.required('target'), false),
});

async function setPaused(cli: Cli, source: string, isPaused: boolean): Promise<void> {
  const answer = await cli.client.connectors.scheduleConnector({
    body: {
      target: toTarget(source, cli.cwd, cli.uploadedFolders),
      paused: isPaused ? true : null,
    },
  });
  if (cli.json) return cli.printJson(answer);
  const { out } = cli;
  const name = out.safeName(displayUri(answer.target, cli));
  const next = answer.next_sync_at;
  if (isPaused) return out.line(`${name} is synced only on request`);
  await out.line(
    next === null ? `${name} has no schedule` : `${name} is synced next ${formatWait(next)}`,
  );
}
