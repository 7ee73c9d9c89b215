import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { type UploadedFolder, toUploadedUri } from './uploaded-folders.js';

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Converts a typed target for the server. URIs stay unchanged, paths become absolute, and paths in uploaded folders
 * become URIs.
 */
export function toTarget(
  text: string,
  cwd: string,
  uploadedFolders: readonly UploadedFolder[] = [],
): string {
  if (schemePattern.test(text)) return text;
  const path = absolute(text, cwd);
  return toUploadedUri(path, uploadedFolders) ?? path;
}

function absolute(text: string, cwd: string): string {
  if (text === '~' || text.startsWith('~/')) return join(homedir(), text.slice(1));
  return resolve(cwd, text);
}
