import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { UploadedFolder } from './uploaded-folders.js';
import { toTarget } from './target.js';

/** A path or URI with an optional position. */
export interface TargetPosition {
  readonly target: string;
  readonly line: number | null;
  /** The last line of a range. */
  readonly lastLine: number | null;
  readonly column: number | null;
  /** The locator of a record as JSON. */
  readonly locator: string | null;
}

/**
 * Parses `notes.md`, `notes.md:12`, `notes.md:12:5`, `notes.md:12-20`, `rows.jsonl:{"id":7}` and lines printed by grep.
 */
export function parsePosition(
  text: string,
  cwd: string,
  uploadedFolders: readonly UploadedFolder[] = [],
): TargetPosition {
  const whole = {
    target: toTarget(text, cwd, uploadedFolders),
    line: null,
    lastLine: null,
    column: null,
    locator: null,
  };
  // An existing file may have this name.
  if (existsSync(resolve(cwd, text))) return whole;
  const [, object, json = ''] = /^(.+?):(\{.*\})$/s.exec(text) ?? [];
  if (object !== undefined && isJson(json))
    return { ...whole, target: toTarget(object, cwd, uploadedFolders), locator: json };
  const [, path, line, last, column] =
    /^(.+?):(\d+)(?:-(\d+))?(?::(\d+))?(?::.*)?$/s.exec(text) ?? [];
  if (path === undefined) return whole;
  const numberOf = (digits: string | undefined): number | null =>
    digits === undefined ? null : Number(digits);
  return {
    ...whole,
    target: toTarget(path, cwd, uploadedFolders),
    line: numberOf(line),
    lastLine: numberOf(last),
    column: numberOf(column),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
