import { readFile } from 'node:fs/promises';
import { parse } from 'smol-toml';
import { unreadableFileError } from '../config/file-error.js';

/** Reads the configuration of a source. */
export async function readToml(path: string): Promise<Record<string, unknown>> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw unreadableFileError(path, cause);
  }
}
