import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { replaceFile } from '../session/file-replacement.js';
import { readFileIfAny } from '../session/system-errors.js';
import type { SearchMode } from './run.js';

/** What a run depends on, besides the questions. */
export type RunSettings = Readonly<Record<string, string>>;

/** The result of one question. */
export interface SavedAnswer {
  readonly question: string;
  /** The wanted places as written. */
  readonly wanted: readonly string[];
  readonly rank: number | null;
  readonly ndcg: number;
}

/** The results of all questions in one mode, as stored in the home. */
export interface SavedRun {
  /** ISO date and time. */
  readonly at: string;
  readonly settings: RunSettings;
  readonly answers: readonly SavedAnswer[];
}

/** Returns the file of the last run in a mode. `name` is its name, or the path of the questions. */
export function runFile(home: string, name: string, mode: SearchMode): string {
  const digest = createHash('sha256').update(`${mode}\0${name}`).digest('hex').slice(0, 32);
  return join(home, 'cli', 'evaluations', `${digest}.json`);
}

/** Throws the system's error. */
export function saveRun(file: string, run: SavedRun): void {
  replaceFile(file, `${JSON.stringify(run)}\n`);
}

/** Returns the last run, or null if there is none or the file is invalid. */
export function readRun(file: string): SavedRun | null {
  const text = readFileIfAny(file);
  if (text === undefined) return null;
  try {
    const run: unknown = JSON.parse(text);
    return isRun(run) ? run : null;
  } catch {
    return null;
  }
}

function isRun(value: unknown): value is SavedRun {
  return (
    isObject(value) &&
    typeof value['at'] === 'string' &&
    isObject(value['settings']) &&
    Object.values(value['settings']).every((setting) => typeof setting === 'string') &&
    Array.isArray(value['answers']) &&
    value['answers'].every(isAnswer)
  );
}

function isAnswer(value: unknown): value is SavedAnswer {
  return (
    isObject(value) &&
    typeof value['question'] === 'string' &&
    Array.isArray(value['wanted']) &&
    (value['rank'] === null || typeof value['rank'] === 'number') &&
    typeof value['ndcg'] === 'number'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
