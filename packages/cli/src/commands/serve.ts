import { resolve } from 'node:path';

import { Exit, Failure } from '../failure.js';
import type { Arguments } from '../framework/arguments.js';
import { command, group } from '../framework/command.js';
import { type Bind, bindOf, parseBind } from '../serve/bind.js';
import { serveFiles } from '../serve/files.js';
import { isHealthy } from '../serve/health.js';
import { locateServer } from '../serve/locate.js';
import { withLock } from '../serve/lock.js';
import { followLog, tailLog } from '../serve/log.js';
import { prepareFolder, readRecord, type ServerRecord } from '../serve/record.js';
import { startServer } from '../serve/start.js';
import { stopServer } from '../serve/stop.js';
import type { Cli } from '../session/cli.js';
import { DEFAULT_ENDPOINT } from '../session/endpoint.js';
import { formatAge } from '../terminal/numbers.js';

const DEFAULT_LINES = 50;

const startArgs = {
  bind: {
    type: 'string',
    valueHint: 'HOST:PORT',
    description: `Where to listen (default: the endpoint, ${new URL(DEFAULT_ENDPOINT).host})`,
  },
  config: { type: 'string', valueHint: 'FILE', description: 'The server.toml to use' },
} as const;
type StartArguments = Arguments<keyof typeof startArgs>;

const start = command({
  name: 'start',
  description: 'Start a server in the background and wait until it answers',
  args: startArgs,
  notes: [
    'The server goes on when this terminal is closed. Its process id and its log are in `$TROVE_HOME/serve`. ' +
      'Starting a server that runs already changes nothing.',
  ],
  examples: [
    { command: 'trove serve start', does: 'with all defaults' },
    { command: 'trove serve start --bind 127.0.0.1:9000', does: 'at another port' },
  ],
  async run(args, cli) {
    prepareFolder(cli.home);
    await withLock(cli.home, () => startOrFind(args, cli));
  },
});

const stop = command({
  name: 'stop',
  description: 'Stop the server that `trove serve start` started',
  args: {},
  notes: [
    'Jobs that are not finished go on at the next start. A server that does not end within 15 s is killed.',
  ],
  examples: [{ command: 'trove serve stop', does: 'stop it' }],
  async run(_args, cli) {
    if (readRecord(cli.home) === undefined) return sayNotRunning(cli);
    await withLock(cli.home, () => stopIfRunning(cli));
  },
});

const restart = command({
  name: 'restart',
  description: 'Stop the server, if it runs, and start it again',
  args: startArgs,
  notes: ['It listens where it did, with the same configuration file, unless told otherwise.'],
  examples: [{ command: 'trove serve restart', does: 'after a change of server.toml' }],
  async run(args, cli) {
    prepareFolder(cli.home);
    await withLock(cli.home, async () => {
      const before = readRecord(cli.home);
      if (before !== undefined) await stopServer(cli.home, before);
      await startOrFind(args, cli, before);
    });
  },
});

const statusCommand = command({
  name: 'status',
  description: 'Say whether the server runs and answers',
  args: {},
  notes: ['Exits with 1 when it does not.'],
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
  description: 'Print what the server wrote',
  args: {
    lines: {
      type: 'string',
      alias: 'n',
      valueHint: 'N',
      description: `Number of last lines (default ${DEFAULT_LINES})`,
    },
    follow: { type: 'boolean', alias: 'f', description: 'Go on as more is written' },
  },
  examples: [{ command: 'trove serve logs -f', does: 'watch the server work' }],
  async run(args, cli) {
    const { out } = cli;
    const follow = args.flag('follow');
    const text = tailLog(cli.home, args.integer('lines') ?? DEFAULT_LINES);
    await out.write(out.safe(text));
    if (text === '' && !follow)
      await cli.err.line(`There is no log at ${serveFiles(cli.home).log}`);
    if (!follow) return;
    for await (const more of followLog(cli.home)) await out.write(out.safe(more));
  },
});

export const serve = group('serve', 'Run a server on this machine', [
  start,
  stop,
  restart,
  statusCommand,
  logs,
]);

async function startOrFind(args: StartArguments, cli: Cli, before?: ServerRecord): Promise<void> {
  const wanted = args.text('bind');
  const running = readRecord(cli.home);
  if (running !== undefined) {
    if (wanted !== undefined && wanted !== running.bind) {
      throw new Failure('already_running', `a server runs already, at ${running.endpoint}`, [
        `Move it: trove serve restart --bind ${wanted}`,
      ]);
    }
    return report(cli, running, 'Already running');
  }
  const address = addressOf(wanted, cli, before);
  if (await isHealthy(address.endpoint)) {
    if (cli.json) return cli.printJson(describe(cli, undefined, address.endpoint, true));
    return cli.out.line(
      `A server that was not started with \`trove serve\` answers already at ${address.endpoint}`,
    );
  }
  const config = args.text('config');
  if (!cli.json) await cli.err.line(`Starting a server at ${address.endpoint} …`);
  const record = await startServer({
    home: cli.home,
    env: cli.env,
    cwd: cli.cwd,
    address,
    config: config === undefined ? before?.config : resolve(cli.cwd, config),
    command: locateServer(cli.cwd, cli.env),
  });
  await report(cli, record, 'Running');
}

function addressOf(wanted: string | undefined, cli: Cli, before: ServerRecord | undefined): Bind {
  if (wanted !== undefined) return parseBind(wanted);
  return before ?? bindOf(cli.endpoint);
}

async function stopIfRunning(cli: Cli): Promise<void> {
  const record = readRecord(cli.home);
  if (record === undefined) return sayNotRunning(cli);
  const graceful = await stopServer(cli.home, record);
  if (cli.json) return cli.printJson({ stopped: true, pid: record.pid, killed: !graceful });
  const how = graceful ? '' : ' (killed: it did not end within 15 s)';
  await cli.out.line(`Stopped process ${record.pid}${how}`);
}

async function sayNotRunning(cli: Cli): Promise<void> {
  if (cli.json) return cli.printJson({ stopped: false });
  await cli.out.line('Not running');
}

async function report(cli: Cli, record: ServerRecord, word: string): Promise<void> {
  if (cli.json) return cli.printJson(describe(cli, record, record.endpoint, true));
  await cli.out.line(`${word}: process ${record.pid} at ${record.endpoint}`);
  if (record.endpoint !== cli.endpoint) {
    await cli.err.line(`Other commands need: export TROVE_ENDPOINT=${record.endpoint}`);
  }
}

function describe(cli: Cli, record: ServerRecord | undefined, endpoint: string, healthy: boolean) {
  return {
    running: record !== undefined || healthy,
    healthy,
    endpoint,
    pid: record?.pid ?? null,
    started_at: record?.startedAt ?? null,
    log: serveFiles(cli.home).log,
  };
}
