import { accessSync, constants, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { type ServerInfo, type StatusResponse, TroveApiError } from '@trove/client';

import { callGraphApi } from '../graph/graph-api.js';
import { displayText, displayUri, shellQuote } from '../paths/display.js';
import { serveFiles } from '../serve/files.js';
import { isHealthy } from '../serve/health.js';
import { readRecord } from '../serve/record.js';
import type { Cli } from '../session/cli.js';
import { errorCode } from '../session/system-errors.js';
import { formatSize, plural } from '../terminal/numbers.js';
import { version } from '../version.js';
import { type DetectedModel, detectModels } from './local-models.js';

/** The result of one check, with advice if something needs attention. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly advice?: string;
}

/** Bytes. The server warns below the same limit. */
const minFreeBytes = 500e6;
const othersMask = 0o077;

/** Runs all checks. Skips the checks that need the server if it does not answer. */
export async function* runChecks(cli: Cli): AsyncGenerator<DoctorCheck, void, undefined> {
  yield checkHome(cli);
  for (const name of ['client.toml', 'server.token']) yield* checkSecrets(join(cli.home, name));
  if (!(await isHealthy(cli.endpoint))) {
    if (cli.local) yield await checkDisk(cli);
    yield reportServerDown(cli);
    return;
  }
  yield {
    name: 'server',
    state: 'ok',
    detail: `answers at ${cli.endpoint} (${cli.endpointSource})`,
  };
  const state = await fetchServerState(cli);
  if (!('info' in state)) {
    if (cli.local) yield await checkDisk(cli);
    yield state;
    return;
  }
  yield checkToken(cli);
  yield checkVersion(state.info);
  yield checkPlugins(state.info);
  yield* checkDisks(state.status);
  yield* checkSources(cli, state.status);
  yield* checkJobs(cli, state.status);
  const embedder = cli.local ? await embedderOf(cli) : null;
  if (embedder !== null) yield* suggestModels(embedder, await detectModels());
}

function checkHome({ home }: Cli): DoctorCheck {
  const name = 'home';
  try {
    accessSync(home, constants.R_OK | constants.W_OK);
    return { name, state: 'ok', detail: home };
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    return {
      name,
      state: isMissing ? 'warning' : 'failed',
      detail: isMissing ? `${home} does not exist yet` : `${home} cannot be written to`,
      advice: isMissing
        ? '`trove serve start` creates it. TROVE_HOME selects another folder.'
        : 'Make it writable (chown, chmod), or set TROVE_HOME to another folder.',
    };
  }
}

/** Warns if other users can read a file with tokens. */
function* checkSecrets(path: string): Generator<DoctorCheck> {
  try {
    const { mode } = statSync(path);
    if (process.platform === 'win32' || (mode & othersMask) === 0) return;
  } catch {
    return;
  }
  yield {
    name: 'secrets',
    state: 'warning',
    detail: `other users of this machine can read ${path}`,
    advice: `chmod 600 ${path}`,
  };
}

async function checkDisk({ home }: Cli): Promise<DoctorCheck> {
  const name = 'disk';
  try {
    const { bavail, bsize } = await statfs(home);
    const free = bavail * bsize;
    const detail = `${formatSize(free)} free at ${home}`;
    if (free >= minFreeBytes) return { name, state: 'ok', detail };
    const advice = 'Free some space, or set TROVE_HOME to another folder.';
    return { name, state: 'failed', detail, advice };
  } catch {
    return { name, state: 'ok', detail: 'unknown until the home exists' };
  }
}

/** Checks the free space of every disk that the server writes to. */
function* checkDisks({ disk_space }: StatusResponse): Generator<DoctorCheck> {
  for (const { name, free_bytes, state, detail } of disk_space) {
    yield {
      name: 'disk',
      state: detail === null ? 'ok' : state === 'unknown' ? 'warning' : 'failed',
      detail:
        detail ??
        `${formatSize(free_bytes ?? 0)} free on the disk of the ${name.replaceAll('_', ' ')}`,
    };
  }
}

function reportServerDown(cli: Cli): DoctorCheck {
  const { endpoint, local, home } = cli;
  const name = 'server';
  const detail = `no answer from ${endpoint} (${cli.endpointSource})`;
  const record = local ? readRecord(home) : undefined;
  if (record !== undefined && record.endpoint !== endpoint) {
    const advice = `A server was started at ${record.endpoint}: export TROVE_ENDPOINT=${record.endpoint}`;
    return { name, state: 'failed', detail, advice };
  }
  const advice = local
    ? `trove serve start; its last log is ${serveFiles(home).log}`
    : 'Check the address, the network, and that the server is running.';
  return { name, state: 'failed', detail, advice };
}

async function fetchServerState(
  cli: Cli,
): Promise<{ info: ServerInfo; status: StatusResponse } | DoctorCheck> {
  try {
    const [info, status] = await Promise.all([
      cli.client.server.getServerInfo(),
      cli.client.server.status(),
    ]);
    return { info, status };
  } catch (error) {
    if (!(error instanceof TroveApiError)) throw error;
    if (error.code !== 'unauthorized') {
      return {
        name: 'server',
        state: 'failed',
        detail: `${error.code}: ${error.detail}`,
        advice: error.suggestions[0] ?? '`trove serve logs` may tell more.',
      };
    }
    const { token, local, home } = cli;
    return {
      name: 'token',
      state: 'failed',
      detail:
        token === undefined
          ? 'the server requires a token, and none was found'
          : `the server rejected the token from ${token.source}`,
      advice: local
        ? `The server's token is in ${home}/server.token. TROVE_API_TOKEN and client.toml take precedence. Check that TROVE_HOME is the home of that server.`
        : 'Set TROVE_API_TOKEN, or add a profile: trove profile add NAME --endpoint URL --token env:VAR --use',
    };
  }
}

function checkToken({ token }: Cli): DoctorCheck {
  const detail = token === undefined ? 'not required' : `accepted, from ${token.source}`;
  return { name: 'token', state: 'ok', detail };
}

function checkVersion({ version: server }: ServerInfo): DoctorCheck {
  const own = version();
  const isSame = server === own;
  return {
    name: 'versions',
    state: isSame ? 'ok' : 'warning',
    detail: isSame ? `${own} for both` : `command ${own}, server ${server}`,
    ...(isSame
      ? {}
      : { advice: 'Install the same version of both: npm install --global @trove/cli' }),
  };
}

function checkPlugins({ capabilities }: ServerInfo): DoctorCheck {
  return {
    name: 'plugins',
    state: 'ok',
    detail: `supported sources: ${capabilities.schemes.map((scheme) => `${scheme}://`).join(', ')}`,
  };
}

function* checkSources(cli: Cli, { connectors }: StatusResponse): Generator<DoctorCheck> {
  const name = 'sources';
  if (connectors.length === 0) {
    yield { name, state: 'warning', detail: 'no sources', advice: 'Add one: trove add PATH' };
    return;
  }
  const bad = connectors.filter(({ error }) => error !== null);
  if (bad.length < connectors.length) {
    yield { name, state: 'ok', detail: plural(connectors.length - bad.length, 'source') };
  }
  for (const { root_uri, error, detail } of bad) {
    const root = displayUri(root_uri, cli);
    yield {
      name,
      state: 'failed',
      detail: `${root}: ${error}: ${displayText(detail ?? '', cli)}`,
      advice: `trove job list --target ${shellQuote(root)}, and then: trove add ${shellQuote(root)}`,
    };
  }
}

function* checkJobs(cli: Cli, { jobs }: StatusResponse): Generator<DoctorCheck> {
  const { queued = 0, running = 0, failed = 0 } = jobs;
  if (queued > 0 && running === 0) {
    yield {
      name: 'jobs',
      state: 'warning',
      detail: `${plural(queued, 'job')} waiting, but no worker is running`,
      advice: cli.local
        ? 'Start `trove-server worker` or, with SQLite, set [worker].in_process = true.'
        : 'Start a worker on the server.',
    };
    return;
  }
  const detail = `${running} running, ${queued} waiting${failed > 0 ? `, ${failed} failed earlier: trove job list --status failed` : ''}`;
  yield { name: 'jobs', state: 'ok', detail };
}

/** Returns the provider of the configured embedder. Null for a token that does not see all sources. */
async function embedderOf(cli: Cli): Promise<string | null> {
  try {
    const settings = await callGraphApi(cli, (graph) => graph.graphSettings());
    return settings.embedding_provider;
  } catch (error) {
    if (error instanceof TroveApiError && error.code === 'forbidden') return null;
    throw error;
  }
}

/** Suggests local models that are not in use. Suggests no embedding model if one is configured. */
export function* suggestModels(
  embedder: string,
  models: readonly DetectedModel[],
): Generator<DoctorCheck> {
  for (const { id, section, server } of models) {
    if (section === 'embedding' && embedder !== 'lexical') continue;
    const use = section === 'embedding' ? 'search by meaning' : 'reranking';
    const settings = `[${section}] provider = "${server.provider}", model = "${id}"`;
    const then =
      section === 'embedding'
        ? '; after a restart, the server indexes the sources again in the background'
        : '';
    yield {
      name: 'models',
      state: 'ok',
      detail: `${server.name} on this machine has ${id}`,
      advice: `For ${use}, in server.toml: ${settings}${then}`,
    };
  }
}
