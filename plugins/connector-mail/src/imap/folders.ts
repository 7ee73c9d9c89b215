import { codeOf } from '@trove/connector-kit';
import type { ImapFlow, ListResponse, StatusObject } from 'imapflow';

import type { ImapConfig } from './config.js';
import type { ImapSession } from './session.js';

/** A folder on a server with its state. */
export interface ImapFolder {
  /** Its path in the source. */
  readonly name: string;
  /** Its name on the server. */
  readonly path: string;
  /** UIDVALIDITY. UIDs are comparable only while it stays the same. */
  readonly validity: string;
  /** HIGHESTMODSEQ, or '' if the server has none. */
  readonly modseq: string;
  readonly uidNext: number;
  readonly count: number;
}

/** Folders that repeat messages of other folders, and unwanted mail. */
const defaultExclusions = new Set(['\\All', '\\Junk', '\\Trash']);

const statusQuery = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };

/** Readers of a single folder accept a listing of this age. It covers the duration of a sync under load. */
const maxCacheAgeMs = 10_000;

/** Caches the folders of a source, because listing them can be slow. */
export class FolderCache {
  readonly #session: ImapSession;
  readonly #config: ImapConfig;
  #cached: { readonly at: number; readonly folders: readonly ImapFolder[] } | null = null;

  constructor(session: ImapSession, config: ImapConfig) {
    this.#session = session;
    this.#config = config;
  }

  /** Lists the folders on the server. */
  async refresh(signal: AbortSignal): Promise<readonly ImapFolder[]> {
    const at = performance.now();
    const folders = await listFolders(this.#session, this.#config, signal);
    this.#cached = { at, folders };
    return folders;
  }

  /** Returns the cached folders if they are recent, otherwise lists them. */
  async recent(signal: AbortSignal): Promise<readonly ImapFolder[]> {
    const cached = this.#cached;
    const isFresh = cached !== null && performance.now() - cached.at < maxCacheAgeMs;
    return isFresh ? cached.folders : this.refresh(signal);
  }
}

/** Lists the included folders in the order of their names. */
export async function listFolders(
  session: ImapSession,
  { folders: included }: ImapConfig,
  signal: AbortSignal,
): Promise<ImapFolder[]> {
  const folders = await session.withClient(signal, async (client) => {
    // The server's STATUS of the selected folder may be outdated.
    await session.refresh(client);
    const found: ImapFolder[] = [];
    for (const each of await client.list({ statusQuery })) {
      const folder = [...each.parent, each.name].map(segmentOf).join('/');
      if (!isIncluded(each, folder, included)) continue;
      signal.throwIfAborted();
      const state = await stateOf(client, each);
      if (state !== null) found.push({ name: folder, path: each.path, ...state });
    }
    return found;
  });
  return folders.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isIncluded(
  { flags, specialUse = '' }: ListResponse,
  folder: string,
  included: readonly string[],
): boolean {
  if (flags.has('\\Noselect') || flags.has('\\NonExistent')) return false;
  return included.length === 0
    ? !defaultExclusions.has(specialUse)
    : included.some((each) => folder === each || folder.startsWith(`${each}/`));
}

/** Returns null if the folder was deleted meanwhile. Throws without a status, so the folder does not look empty. */
async function stateOf(
  client: ImapFlow,
  { path, status }: ListResponse,
): Promise<Omit<ImapFolder, 'name' | 'path'> | null> {
  const current = isStatus(status) ? status : await fetchStatus(client, path);
  if (current === null) return null;
  const { messages = 0, uidNext = 0, uidValidity = 0, highestModseq } = current;
  const modseq = highestModseq === undefined ? '' : String(highestModseq);
  return { validity: String(uidValidity), modseq, uidNext, count: messages };
}

async function fetchStatus(client: ImapFlow, path: string): Promise<StatusObject | null> {
  try {
    const status: unknown = await client.status(path, statusQuery);
    if (isStatus(status)) return status;
  } catch (error) {
    if (codeOf(error) === 'NotFound') return null;
    throw error;
  }
  // The client reports no more details.
  throw Object.assign(new Error(`it did not report the state of the folder "${path}"`), {
    code: client.usable ? '' : 'NoConnection',
  });
}

function isStatus(status: unknown): status is StatusObject {
  return typeof status === 'object' && status !== null && 'messages' in status;
}

export function stampOf({ validity, modseq, uidNext, count }: ImapFolder): string {
  return [validity, modseq, uidNext, count].join(' ');
}

export function stampsOf(folders: readonly ImapFolder[]): string {
  return folders.map((each) => `${each.name}\n${stampOf(each)}`).join('\n');
}

function segmentOf(name: string): string {
  const escaped = name.replaceAll('%', '%25').replaceAll('/', '%2F');
  return /^\.{0,2}$/.test(escaped) ? `%${escaped}` : escaped;
}
