import type { Config } from './config.js';
import type { Session } from './session.js';

/** A folder of a server, and its state. */
export interface Folder {
  /** As a path of the source. */
  readonly folder: string;
  /** As the server calls it. */
  readonly path: string;
  /** Of which numbers of messages are good. */
  readonly validity: string;
  /** The highest number of a change; '' for a server that counts none. */
  readonly modseq: string;
  readonly uidNext: number;
  readonly count: number;
}

/** What shows messages of other folders, or what nobody looks for. */
const usuallyLeftOut = new Set(['\\All', '\\Junk', '\\Trash']);

/** The folders that are taken in, in the order of their names. */
export async function foldersOf(
  session: Session,
  { folders: wanted }: Config,
  signal: AbortSignal,
): Promise<Folder[]> {
  const listed = await session.use(signal, async (client) => {
    // Of the folder that is selected, a server tells what it told last.
    await client.noop();
    return client.list({
      statusQuery: { messages: true, uidNext: true, uidValidity: true, highestModseq: true },
    });
  });
  const found = listed.flatMap(({ path, parent, name, flags, specialUse, status }): Folder[] => {
    if (flags.has('\\Noselect') || flags.has('\\NonExistent') || status === undefined) return [];
    const folder = [...parent, name].map(segmentOf).join('/');
    const isWanted =
      wanted.length === 0
        ? !usuallyLeftOut.has(specialUse ?? '')
        : wanted.some((each) => folder === each || folder.startsWith(`${each}/`));
    if (!isWanted) return [];
    const { messages = 0, uidNext = 0, uidValidity = 0, highestModseq } = status;
    const validity = String(uidValidity);
    const modseq = highestModseq === undefined ? '' : String(highestModseq);
    return [{ folder, path, validity, modseq, uidNext, count: messages }];
  });
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

export function stampOf({ validity, modseq, uidNext, count }: Folder): string {
  return [validity, modseq, uidNext, count].join(' ');
}

function segmentOf(name: string): string {
  const escaped = name.replaceAll('%', '%25').replaceAll('/', '%2F');
  return /^\.{0,2}$/.test(escaped) ? `%${escaped}` : escaped;
}
