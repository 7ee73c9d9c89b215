import { isAbsolute } from 'node:path';
import { TroveError } from '@trove/core';

/** Returns the key of the index plugin for a folder or URI. Throws `config_invalid` for other texts. */
export function indexScheme(uri: string): string {
  if (isAbsolute(uri)) return 'file';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme !== undefined) return scheme;
  throw new TroveError('config_invalid', 'index.uri: must be an absolute path or a URI');
}
