import { join } from 'node:path';
import { TroveError, type JsonSchema } from '@trove/core';
import { commandBody, UsageError } from '@trove/commands';
import { installedPlugins, openTrove, type Engine, type OpenedLogin } from 'trove';
import { logIn } from '../login/log-in.js';
import { version } from '../version.js';
import { applyAssignments } from '../wizard/assignments.js';
import { readToml } from '../wizard/read-toml.js';
import { WizardCancelledError } from '../wizard/prompts.js';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots } from './shared.js';

const defaultTimeoutSeconds = 600;

export const connectorLogin = commandBody({
  args: {
    scheme: { type: 'positional', description: 'Kind of the source, such as gdrive' },
    source: {
      type: 'positional',
      required: false,
      description: 'URI of the source. Default: the only registered source of this kind',
    },
    from: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description: 'Read the configuration of a source that is not registered from a TOML file',
    },
    set: {
      type: 'string',
      repeats: true,
      valueHint: 'NAME=VALUE',
      description: 'Set an option of a source that is not registered. Repeatable',
    },
    flow: {
      type: 'string',
      valueHint: 'browser|device',
      description:
        'device: enter a code on any machine. browser: a page that returns to this machine. Default: device if the service allows it for the client',
    },
    port: {
      type: 'string',
      valueHint: 'PORT',
      description: 'Port of 127.0.0.1 to which the browser returns. Default: a free port',
    },
    timeout: {
      type: 'string',
      valueHint: 'SECONDS',
      description: `Maximum time to wait for the browser. Default ${defaultTimeoutSeconds}`,
    },
    ...configArg,
  },
  notes: [
    'Stores the refresh token in the home, in a file that only its owner can read, and prints no token. A running server uses it at once. All sources with the same client and account share it.',
    'Over SSH, open the printed address in a browser on your own machine, and paste the address of the last page.',
  ],
  examples: [
    {
      command: 'trove-server connector login gdrive gdrive://ann',
      does: 'log in again for a registered source',
    },
    {
      command: 'trove-server connector login gdrive --from drive.toml',
      does: 'log in before the source is added',
    },
  ],
  async run(args, { out }: ServerContext) {
    const scheme = args.required('scheme');
    const flow = args.oneOf('flow', ['browser', 'device']);
    const port = args.integer('port') ?? 0;
    const timeoutMs = (args.integer('timeout') ?? defaultTimeoutSeconds) * 1000;
    const config = await configOf(args.text('config'));
    const roots = packageRoots(config);
    const engine = await openTrove(config.settings, { version, appRoots: roots });
    const interrupt = abortOnInterrupt();
    const print = (...lines: readonly string[]): void =>
      void out.write(lines.map((line) => `${line}\n`).join(''));
    try {
      const plugins = await installedPlugins(config.settings, roots, 'connector');
      const schema = plugins.find(({ key }) => key === scheme)?.configSchema ?? {};
      const given = await givenConfig(args.text('from'), args.texts('set'), schema);
      const target = await targetOf(engine, scheme, args.text('source'), given !== undefined);
      const opened = await engine.openLogin({
        target,
        ...(given === undefined ? {} : { config: given }),
      });
      assertNamed(opened, args.text('source'), scheme);
      print(...announcement(opened, target));
      const token = await logIn(opened, {
        flow,
        port,
        timeoutMs,
        input: process.stdin.isTTY ? process.stdin : null,
        print,
        signal: interrupt.signal,
      });
      await opened.store(token);
      print(`Logged in. The token is stored in ${join(config.settings.home, 'credentials')}.`);
      const health = await opened.check();
      print(health.detail);
      if (!health.ok) throw new TroveError('connector_unhealthy', 'The source cannot be used yet');
      if (opened.sources.length === 0)
        print('Add a source with this client within a day. Later, an unused login is deleted.');
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      print('', 'Cancelled. Nothing was stored.');
      throw new WizardCancelledError();
    } finally {
      interrupt.end();
      await engine.close();
    }
  },
});

async function givenConfig(
  file: string | undefined,
  assignments: readonly string[],
  schema: JsonSchema,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (file === undefined && assignments.length === 0) return undefined;
  return applyAssignments(file === undefined ? {} : await readToml(file), assignments, schema);
}

/** Returns the source to log in to. Without a source, the URI only names the connector. */
async function targetOf(
  engine: Engine,
  scheme: string,
  source: string | undefined,
  hasConfig: boolean,
): Promise<string> {
  if (source !== undefined) {
    if (!source.includes('://')) return `${scheme}://${source}`;
    if (source.startsWith(`${scheme}://`)) return source;
    throw new UsageError(`${source} is not a source of the kind ${scheme}`, [
      `Name the kind of the source first: trove-server connector login ${source.split(':')[0]} ${source}`,
    ]);
  }
  const { connectors } = await engine.status();
  const roots = connectors.filter(({ type }) => type === scheme).map(({ root_uri: root }) => root);
  const [only, ...others] = hasConfig ? [] : roots;
  if (others.length === 0) return only ?? `${scheme}://login`;
  throw new UsageError(`Several sources are of the kind ${scheme}`, [
    'Name one of them:',
    ...roots.map((root) => `trove-server connector login ${scheme} ${root}`),
  ]);
}

function assertNamed(opened: OpenedLogin, source: string | undefined, scheme: string): void {
  if (opened.isShared || source !== undefined || opened.sources.length > 0) return;
  throw new UsageError(
    'SOURCE is missing, because the configuration has no secret to name the login',
    [`Name the source: trove-server connector login ${scheme} ${scheme}://NAME --from FILE`],
  );
}

function announcement({ sources }: OpenedLogin, target: string): string[] {
  if (sources.length === 0) return ['No registered source uses this login yet.'];
  const others = sources.filter((source) => source !== target);
  const isListed = others.length < sources.length;
  return [
    `Log in for ${[...(isListed ? [target] : []), ...others].join(', ')}.`,
    ...(others.length > 0
      ? ['They share one login, so the new one replaces the login of all.']
      : []),
  ];
}

function abortOnInterrupt(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new WizardCancelledError());
  process.once('SIGINT', abort);
  return { signal: controller.signal, end: () => void process.off('SIGINT', abort) };
}
