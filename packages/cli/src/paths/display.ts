import { relative, sep } from 'node:path';

import { decode, type UploadedFolder, toUploadedPath } from './uploaded-folders.js';

const localRoot = 'file://local';

/** The context that paths are displayed in. */
export interface DisplayContext {
  readonly cwd: string;
  readonly local: boolean;
  /** Uploaded folders. */
  readonly uploadedFolders?: readonly UploadedFolder[];
}

/** Formats a URI for people. Local files become paths, relative if below the working directory. */
export function displayUri(
  uri: string,
  { cwd, local, uploadedFolders = [] }: DisplayContext,
): string {
  const isOfServer = uri === localRoot || uri.startsWith(`${localRoot}/`);
  const here =
    isOfServer && local ? uri.slice(localRoot.length) : toUploadedPath(uri, uploadedFolders);
  if (here === null) return uri;
  const path = decode(here) || '/';
  const below = relative(cwd, path);
  const outside = below === '..' || below.startsWith(`..${sep}`);
  if (outside || below === '') return path;
  return /^[-~]/.test(below) ? `./${below}` : below;
}

/** Replaces file URIs in a text as `displayUri` does. */
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
