import { Exit, group } from '@trove/commands';

import { serveFiles } from '../serve/files.js';
import { isHealthy } from '../serve/health.js';
import { withLock } from '../serve/lock.js';
import { followLog, logSize, tailLog } from '../serve/log.js';
import { prepareFolder, readRecord } from '../serve/record.js';
import { readService } from '../serve/service-record.js';
import { command } from '../session/command.js';
import { defaultEndpoint } from '../session/endpoint.js';
import { formatAge } from '../terminal/numbers.js';
import { describe, restart, startIfNeeded, stopIfRunning } from './serve-actions.js';
import { installService, uninstallService } from './service-actions.js';

const defaultLogLines = 50;

const startArgs = {
  bind: {
    type: 'string',
    valueHint: 'HOST:PORT',
    description: `Address to listen on (default: the endpoint, ${new URL(defaultEndpoint).host})`,
  },
  config: { type: 'string', valueHint: 'FILE', description: 'The server.toml to use' },
} as const;

const start = command({
  name: 'start',
  description: 'Start a server in the background and wait until it answers',
  args: startArgs,
  notes: [
    'The server keeps running when this terminal closes. `$TROVE_HOME/serve` contains its process id and its log. ' +
      'If the server is already running, the command changes nothing.',
    'The server runs in the home. It uses a `server.toml` of the current folder only with `--config`.',
  ],
  examples: [
    { command: 'trove serve start', does: 'start with default settings' },
    { command: 'trove serve start --bind 127.0.0.1:9000', does: 'start on another port' },
  ],
  async run(args, cli) {
    prepareFolder(cli.home);
    await withLock(cli.home, () => startIfNeeded(args, cli));
  },
});

const stop = command({
  name: 'stop',
  description: 'Stop the server that `trove serve start` started, or the service of this home',
  args: {},
  notes: [
    'Unfinished jobs continue at the next start. A server that does not stop within 15 s is killed.',
  ],
  examples: [{ command: 'trove serve stop', does: 'stop the server' }],
  async run(_args, cli) {
    const isKnown = readRecord(cli.home) !== undefined || readService(cli.home) !== undefined;
    if (!isKnown) return stopIfRunning(cli);
    await withLock(cli.home, () => stopIfRunning(cli));
  },
});

const restartCommand = command({
  name: 'restart',
  description: 'Restart the server, or start it if it is not running',
  args: startArgs,
  notes: [
    'The server keeps its address and its configuration file unless options change them. ' +
      'The settings are checked first. If they are invalid, the running server is not stopped.',
  ],
  examples: [{ command: 'trove serve restart', does: 'apply a change of server.toml' }],
  async run(args, cli) {
    prepareFolder(cli.home);
    await withLock(cli.home, () => restart(args, cli));
  },
});

const statusCommand = command({
  name: 'status',
  description: 'Show whether the server runs and answers',
  args: {},
  notes: ['Exits with 1 if it does not answer.'],
  examples: [{ command: 'trove serve status', does: 'check the server' }],
  async run(_args, cli) {
    const record = readRecord(cli.home);
    const service = record === undefined ? readService(cli.home) : undefined;
    const endpoint = record?.endpoint ?? service?.endpoint ?? cli.endpoint;
    const healthy = await isHealthy(endpoint);
    if (cli.json) await cli.printJson(describe(cli, record, endpoint, healthy));
    else if (record !== undefined) {
      const answers = healthy ? 'answers' : 'does not answer';
      await cli.out.line(
        `Running: process ${record.pid}, ${answers} at ${endpoint}, started ${formatAge(record.startedAt)}`,
      );
    } else if (service !== undefined && healthy) {
      await cli.out.line(`Running: the service ${cli.out.safeName(service.file)} at ${endpoint}`);
    } else if (healthy) {
      await cli.out.line(`A server that \`trove serve\` did not start is running at ${endpoint}`);
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
    follow: { type: 'boolean', alias: 'f', description: 'Keep printing new lines' },
  },
  examples: [{ command: 'trove serve logs -f', does: 'follow the log' }],
  async run(args, cli) {
    const { out } = cli;
    const follow = args.flag('follow');
    const text = tailLog(cli.home, args.integer('lines') ?? defaultLogLines);
    await out.write(out.safe(text));
    if (logSize(cli.home) === 0 && !follow)
      await cli.err.line(`No log at ${serveFiles(cli.home).log}`);
    if (!follow) return;
    for await (const more of followLog(cli.home)) await out.write(out.safe(more));
  },
});

const install = command({
  name: 'install',
  description: 'Run the server as a service of this user, now and after each login',
  args: startArgs,
  notes: [
    'Writes a systemd user unit on Linux and a launchd agent on macOS, and starts it. It stops a server of `trove serve start` first.',
    'The service gets the settings of `server.toml`, but no variables of this shell.',
  ],
  examples: [{ command: 'trove serve install', does: 'start the server at each login' }],
  async run(args, cli) {
    prepareFolder(cli.home);
    await withLock(cli.home, () => installService(args, cli));
  },
});

const uninstall = command({
  name: 'uninstall',
  description: 'Stop the service of `trove serve install` and remove it',
  args: {},
  notes: ['The home and its data stay.'],
  examples: [{ command: 'trove serve uninstall', does: 'remove the service' }],
  run: (_args, cli) => uninstallService(cli),
});

export const serve = group('serve', 'Run a server on this machine', [
  start,
  stop,
  restartCommand,
  statusCommand,
  logs,
  install,
  uninstall,
]);
