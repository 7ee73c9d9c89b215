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
  #told: { readonly at: number; readonly folders: readonly ImapFolder[] } | null = null;

  constructor(session: ImapSession, config: ImapConfig) {
    this.#session = session;
    this.#config = config;
  }

  /** Lists the folders on the server. */
  async refresh(signal: AbortSignal): Promise<readonly ImapFolder[]> {
    const at = performance.now();
    const folders = await listFolders(this.#session, this.#config, signal);
    this.#told = { at, folders };
    return folders;
  }

  /** Returns the cached folders if they are recent, otherwise lists them. */
  async recent(signal: AbortSignal): Promise<readonly ImapFolder[]> {
    const told = this.#told;
    const isGood = told !== null && performance.now() - told.at < maxCacheAgeMs;
    return isGood ? told.folders : this.refresh(signal);
  }
}

/** Lists the included folders in the order of their names. */
export async function listFolders(
  session: ImapSession,
  { folders: wanted }: ImapConfig,
  signal: AbortSignal,
): Promise<ImapFolder[]> {
  const found = await session.withClient(signal, async (client) => {
    // The server's STATUS of the selected folder may be outdated.
    await session.refresh(client);
    const folders: ImapFolder[] = [];
    for (const each of await client.list({ statusQuery })) {
      const folder = [...each.parent, each.name].map(segmentOf).join('/');
      if (!isIncluded(each, folder, wanted)) continue;
      signal.throwIfAborted();
      const state = await stateOf(client, each);
      if (state !== null) folders.push({ name: folder, path: each.path, ...state });
    }
    return folders;
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isIncluded(
  { flags, specialUse = '' }: ListResponse,
  folder: string,
  wanted: readonly string[],
): boolean {
  if (flags.has('\\Noselect') || flags.has('\\NonExistent')) return false;
  return wanted.length === 0
    ? !defaultExclusions.has(specialUse)
    : wanted.some((each) => folder === each || folder.startsWith(`${each}/`));
}

/** Returns null if the folder was deleted meanwhile. Throws without a status, so the folder does not look empty. */
async function stateOf(
  client: ImapFlow,
  { path, status }: ListResponse,
): Promise<Omit<ImapFolder, 'name' | 'path'> | null> {
  const told = isStatus(status) ? status : await fetchStatus(client, path);
  if (told === null) return null;
  const { messages = 0, uidNext = 0, uidValidity = 0, highestModseq } = told;
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
