import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { UsageError } from '@trove/commands';

import type { UploadedFolder } from '../paths/uploaded-folders.js';
import { errorCode } from '../session/system-errors.js';
import { parseWanted, type Wanted } from './wanted.js';

/** A question and the places that answer it. */
export interface Question {
  readonly text: string;
  readonly wanted: readonly Wanted[];
  /** Line of the file, from 1. */
  readonly line: number;
}

/** Maximum number of problems that one error names. */
const maxProblems = 5;
/** The limit of a search. */
const maxQuestionChars = 10_000;
const members: readonly string[] = ['question', 'wanted'];

const lineFormat =
  'Write lines such as {"question": "how are tokens rotated", "wanted": ["docs/tokens.md#Rotation"]}';

/** Reads questions from a file with one JSON object per line. Paths are relative to its folder. Throws a UsageError. */
export function readQuestions(
  path: string,
  uploadedFolders: readonly UploadedFolder[],
): Question[] {
  const problems: string[] = [];
  const questions = readText(path)
    .split('\n')
    .flatMap((text, at): Question[] => {
      if (text.trim() === '' || text.trimStart().startsWith('#')) return [];
      const parsed = parseQuestion(text, { folder: dirname(path), uploadedFolders });
      if (typeof parsed !== 'string') return [{ ...parsed, line: at + 1 }];
      problems.push(`line ${at + 1}: ${parsed}`);
      return [];
    });
  if (problems.length > 0) throw new UsageError(describeProblems(path, problems), [lineFormat]);
  if (questions.length === 0) throw new UsageError(`${path} has no questions`, [lineFormat]);
  const repeated = findRepeated(questions);
  if (repeated !== undefined) {
    throw new UsageError(`${path}: line ${repeated.line}: the question occurs before`, [
      'List all wanted places in one line.',
    ]);
  }
  return questions;
}

function findRepeated(questions: readonly Question[]): Question | undefined {
  const seen = new Set<string>();
  return questions.find(({ text }) => {
    if (seen.has(text)) return true;
    seen.add(text);
    return false;
  });
}

function describeProblems(path: string, problems: readonly string[]): string {
  const rest = problems.length - maxProblems;
  const shown = problems.slice(0, maxProblems).join('; ');
  return `${path}: ${shown}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(`cannot read ${path} (${errorCode(error)})`, [
      'Name a file that you can read.',
    ]);
  }
}

interface WantedContext {
  readonly folder: string;
  readonly uploadedFolders: readonly UploadedFolder[];
}

/** Returns the question of a line, or the problem. */
function parseQuestion(line: string, context: WantedContext): Omit<Question, 'line'> | string {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be a JSON object';
  const unknown = Object.keys(value).find((key) => !members.includes(key));
  if (unknown !== undefined)
    return `unknown member \`${unknown}\`. Use \`question\` and \`wanted\``;
  const text = 'question' in value ? value.question : undefined;
  if (typeof text !== 'string' || text.trim() === '')
    return '`question` must be a text that is not blank';
  if (text.length > maxQuestionChars)
    return `\`question\` must have at most ${maxQuestionChars} characters`;
  const list: unknown = 'wanted' in value ? value.wanted : undefined;
  if (!Array.isArray(list) || list.length === 0)
    return '`wanted` must be a list with at least one place';
  const wanted: Wanted[] = [];
  for (const [at, item] of list.entries()) {
    const parsed = parseWanted(item, context.folder, context.uploadedFolders);
    if (typeof parsed === 'string') return `\`wanted[${at}]\` ${parsed}`;
    wanted.push(parsed);
  }
  return { text, wanted };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
