import { TroveClient } from '@trove/client';
import type { CompletionCandidate, Completer } from '@trove/commands';

import { displayUri } from './paths/display.js';
import { toTarget } from './paths/target.js';
import type { Cli } from './session/cli.js';
import type { CompletionKind } from './session/globals.js';
import { readProfiles } from './session/profile.js';

/** Shells should not wait longer after Tab. */
const timeoutMs = 1500;

/** Completes values of each kind. Returns no values if the server does not answer. */
export const completers: Readonly<Record<CompletionKind, Completer<Cli>>> = {
  profile: async (_typed, cli) => ({
    candidates: readProfiles(cli.home).names.map(toCandidate),
    withFiles: false,
  }),
  job: async (_typed, cli) => ({
    candidates: await orEmpty(() => completeJobs(cli)),
    withFiles: false,
  }),
  source: async (typed, cli) => ({
    candidates: await orEmpty(() => completeSources(cli, typed)),
    withFiles: true,
  }),
  object: async (typed, cli) => {
    const inSources = await orEmpty(() => completeObjects(cli, typed));
    const candidates = [...inSources, ...(await orEmpty(() => completeSources(cli, typed)))];
    return { candidates, withFiles: candidates.length === 0 };
  },
};

async function completeJobs(cli: Cli): Promise<CompletionCandidate[]> {
  const recentJobs = await clientOf(cli).ingest.listJobs({ limit: 20 });
  return recentJobs.map(({ id, status, target }) => ({
    value: id,
    description: `${status} ${displayUri(target ?? '', cli)}`,
  }));
}

async function completeSources(cli: Cli, typed: string): Promise<CompletionCandidate[]> {
  const { connectors } = await clientOf(cli).server.status();
  const isAbsolute = typed.startsWith('/');
  return connectors.map(({ root_uri, type }) => ({
    value: displayUri(root_uri, isAbsolute ? { ...cli, cwd: '/nowhere' } : cli),
    description: `source (${type})`,
  }));
}

/** Completes the entries of the folder typed so far. */
async function completeObjects(cli: Cli, typed: string): Promise<CompletionCandidate[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const path = toTarget(folder === '' ? '.' : folder, cli.cwd);
  const { entries } = await clientOf(cli).browse.ls({ path });
  const isUri = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  return entries.map(({ name, path: uri, type, search_status: status }) => {
    const last = isUri && uri !== null ? uri.slice(uri.lastIndexOf('/') + 1) : name;
    return {
      value: `${folder}${last}${type === 'dir' ? '/' : ''}`,
      description: status ?? '',
    };
  });
}

function clientOf({ endpoint, token }: Cli): TroveClient {
  return new TroveClient({ baseUrl: endpoint, token: token?.value, timeoutMs: timeoutMs });
}

async function orEmpty(
  fetchCandidates: () => Promise<CompletionCandidate[]>,
): Promise<CompletionCandidate[]> {
  try {
    return await fetchCandidates();
  } catch {
    return [];
  }
}

function toCandidate(value: string): CompletionCandidate {
  return { value, description: '' };
}
