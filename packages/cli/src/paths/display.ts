import { relative, sep } from 'node:path';

import { decode, type SentFolder, sentPath } from './sent-folders.js';

const localRoot = 'file://local';

/** Where paths are shown. */
export interface DisplayContext {
  readonly cwd: string;
  readonly local: boolean;
  /** Folders whose files were sent to the server. */
  readonly sent?: readonly SentFolder[];
}

/** A URI in the form a person would write: a file of this machine as a path, relative if below the working directory. */
export function displayUri(uri: string, { cwd, local, sent = [] }: DisplayContext): string {
  const isOfServer = uri === localRoot || uri.startsWith(`${localRoot}/`);
  const here = isOfServer && local ? uri.slice(localRoot.length) : sentPath(uri, sent);
  if (here === null) return uri;
  const path = decode(here) || '/';
  const below = relative(cwd, path);
  const outside = below === '..' || below.startsWith(`..${sep}`);
  if (outside || below === '') return path;
  return /^[-~]/.test(below) ? `./${below}` : below;
}

/** A text of the server, with the local files in it as `displayUri` shows them. */
export function displayText(text: string, place: DisplayContext): string {
  return text.replace(/(?<![\w+.-])file:\/\/[\w.-]+(?:\/[^\s"'`<>]*)?/g, (run) => {
    const uri = run.replace(/[.,:;)]+$/, '');
    return displayUri(uri, place) + run.slice(uri.length);
  });
}

/** Quotes an argument for a shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
