import { TroveApiError } from '@trove/client';

import type { Cli } from '../session/cli.js';
import type { Question } from './questions-file.js';
import type { Wanted } from './wanted.js';

/** Replaces headings by their lines in the current text. A heading that is not found matches no hit. */
export async function resolveHeadings(
  cli: Cli,
  questions: readonly Question[],
): Promise<{ readonly questions: Question[]; readonly unresolved: ReadonlyMap<Wanted, string> }> {
  const unresolved = new Map<Wanted, string>();
  const outlines = new Map<string, Promise<OutlineEntry[] | string>>();
  const resolve = async (wanted: Wanted): Promise<Wanted> => {
    const { source, heading } = wanted;
    if (source === null || heading === null) return wanted;
    const outline = outlines.get(source) ?? readOutline(cli, source);
    outlines.set(source, outline);
    const entries = await outline;
    const entry =
      typeof entries === 'string' ? undefined : entries.find((each) => isNamed(each, heading));
    const resolved: Wanted = {
      ...wanted,
      lines: entry === undefined ? noLines : [entry.line, entry.end],
    };
    if (entry === undefined)
      unresolved.set(
        resolved,
        typeof entries === 'string' ? entries : `has no heading or definition "${heading}"`,
      );
    return resolved;
  };
  const resolved: Question[] = [];
  for (const question of questions) {
    const wanted: Wanted[] = [];
    for (const each of question.wanted) wanted.push(await resolve(each));
    resolved.push({ ...question, wanted });
  }
  return { questions: resolved, unresolved };
}

/** Lines are numbered from 1. */
const noLines: readonly [number, number] = [0, 0];

interface OutlineEntry {
  readonly line: number;
  readonly end: number;
  readonly text: string;
  readonly name: string | null;
}

/** Returns the outline of an object, or why it has none. */
async function readOutline(cli: Cli, path: string): Promise<OutlineEntry[] | string> {
  try {
    const answer = await cli.client.browse.cat({ path, density: 'peek' });
    return 'outline' in answer ? [...(answer.outline ?? [])] : [];
  } catch (error) {
    if (!(error instanceof TroveApiError) || error.status === 0) throw error;
    if (error.code === 'not_found') return 'does not exist';
    if (error.code === 'density_unsupported' || error.code === 'is_directory')
      return 'has no headings';
    throw error;
  }
}

/** Compares without case, Markdown signs and repeated spaces. */
function isNamed({ text, name }: OutlineEntry, heading: string): boolean {
  const wanted = plain(heading);
  return plain(text) === wanted || (name !== null && plain(name) === wanted);
}

function plain(text: string): string {
  return text
    .replace(/^[\s#=]+/, '')
    .replaceAll(/[`*_]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
