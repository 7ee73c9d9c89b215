import { Exit, group } from '@trove/commands';

import { serveFiles } from '../serve/files.js';
import { isHealthy } from '../serve/health.js';
import { withLock } from '../serve/lock.js';
import { followLog, logSize, tailLog } from '../serve/log.js';
import { prepareFolder, readRecord } from '../serve/record.js';
import { command } from '../session/command.js';
import { defaultEndpoint } from '../session/endpoint.js';
import { formatAge } from '../terminal/numbers.js';
import {
  describe,
  restart,
  reportNotRunning,
  startIfNeeded,
  stopIfRunning,
} from './serve-actions.js';

const defaultLogLines = 50;

const startArgs = {
  bind: {
    type: 'string',
    valueHint: 'HOST:PORT',
    description: `Where to listen (default: the endpoint, ${new URL(defaultEndpoint).host})`,
  },
  config: { type: 'string', valueHint: 'FILE', description: 'The server.toml to use' },
} as const;

const start = command({
  name: 'start',
  description: 'Start a server in the background and wait until it answers',
  args: startArgs,
  notes: [
    'The server keeps running when this terminal is closed. Its process id and its log are in `$TROVE_HOME/serve`. ' +
      'Starting a server that is already running changes nothing.',
    'It runs in the home: a `server.toml` in the current folder is used only if `--config` names it.',
  ],
  examples: [
    { command: 'trove serve start', does: 'with all defaults' },
    { command: 'trove serve start --bind 127.0.0.1:9000', does: 'on another port' },
  ],
  async run(args, cli) {
    prepareFolder(cli.home);
    await withLock(cli.home, () => startIfNeeded(args, cli));
  },
});

const stop = command({
  name: 'stop',
  description: 'Stop the server that `trove serve start` started',
  args: {},
  notes: [
    'Unfinished jobs continue at the next start. A server that does not stop within 15 s is killed.',
  ],
  examples: [{ command: 'trove serve stop', does: 'stop it' }],
  async run(_args, cli) {
    if (readRecord(cli.home) === undefined) return reportNotRunning(cli);
    await withLock(cli.home, () => stopIfRunning(cli));
  },
});

const restartCommand = command({
  name: 'restart',
  description: 'Stop the server if it is running, and start it again',
  args: startArgs,
  notes: [
    'It listens at the same address, with the same configuration file, unless told otherwise. ' +
      'The settings are checked first: if they are refused, the server that runs goes on.',
  ],
  examples: [{ command: 'trove serve restart', does: 'after a change of server.toml' }],
  async run(args, cli) {
    prepareFolder(cli.home);
    await withLock(cli.home, () => restart(args, cli));
  },
});

const statusCommand = command({
  name: 'status',
  description: 'Show whether the server is running and answers',
  args: {},
  notes: ['Exits with 1 if it does not answer.'],
  examples: [{ command: 'trove serve status', does: 'is it up?' }],
  async run(_args, cli) {
    const record = readRecord(cli.home);
    const endpoint = record?.endpoint ?? cli.endpoint;
    const healthy = await isHealthy(endpoint);
    if (cli.json) await cli.printJson(describe(cli, record, endpoint, healthy));
    else if (record !== undefined) {
      const answers = healthy ? 'answers' : 'does not answer';
      await cli.out.line(
        `Running: process ${record.pid}, ${answers} at ${endpoint}, started ${formatAge(record.startedAt)}`,
      );
    } else if (healthy) {
      await cli.out.line(
        `A server that was not started with \`trove serve\` answers at ${endpoint}`,
      );
    } else await cli.out.line('Not running. Start it: trove serve start');
    if (!healthy) throw new Exit(1);
  },
});

const logs = command({
  name: 'logs',
  description: "Print the server's log",
  args: {
    lines: {
      type: 'string',
      alias: 'n',
      valueHint: 'N',
      description: `Number of last lines (default ${defaultLogLines})`,
    },
    follow: { type: 'boolean', alias: 'f', description: 'Keep printing as more is written' },
  },
  examples: [{ command: 'trove serve logs -f', does: 'watch the server work' }],
  async run(args, cli) {
    const { out } = cli;
    const follow = args.flag('follow');
    const text = tailLog(cli.home, args.integer('lines') ?? defaultLogLines);
    await out.write(out.safe(text));
    if (logSize(cli.home) === 0 && !follow)
      await cli.err.line(`There is no log at ${serveFiles(cli.home).log}`);
    if (!follow) return;
    for await (const more of followLog(cli.home)) await out.write(out.safe(more));
  },
});

export const serve = group('serve', 'Run a server on this machine', [
  start,
  stop,
  restartCommand,
  statusCommand,
  logs,
]);
