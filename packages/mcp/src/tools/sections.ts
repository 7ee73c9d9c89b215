import { setTimeout as sleep } from 'node:timers/promises';
import { isTroveError } from '@trove/core';
import type { CatResponse, SearchResponse } from 'trove';
import { linesOf } from '../position.js';
import type { ToolContext } from '../tool.js';

type Hit = SearchResponse['results'][number];
type Outline = readonly NonNullable<CatResponse['outline']>[number][];

/** Sources that are read from this machine. Others would answer a request for each hit. */
const localTypes: ReadonlySet<string> = new Set(['file', 'git']);
/** A search does not wait longer for the outlines of its hits. */
const limitMs = 500;
const maxHeadings = 4;

/**
 * Returns the headings above each hit in Markdown, outermost first, as `A > B`. Null for other hits, and for texts that cannot be
 * read in time, such as the first ones after a start. The title of a long text does not describe its parts.
 */
export async function sectionsOf(
  hits: readonly Hit[],
  { engine, signal }: Pick<ToolContext, 'engine' | 'signal'>,
): Promise<readonly (string | null)[]> {
  // Aborting would end the thread that reads an outline, and the next search would wait for a new one.
  const late = sleep(limitMs, [] as const, { ref: false });
  const outlines = new Map<string, Promise<Outline>>();
  const outlineOf = (source: string): Promise<Outline> => {
    const known = outlines.get(source) ?? readOutline(source, engine, signal);
    outlines.set(source, known);
    return Promise.race([known, late]);
  };
  return Promise.all(
    hits.map(async ({ source, locator, metadata: { media_type, connector_type, title } }) => {
      const lines = linesOf(locator);
      const isMarkdown = media_type === 'text/markdown' && localTypes.has(connector_type);
      if (lines === null || !isMarkdown) return null;
      return sectionAt(await outlineOf(source), lines.start, title);
    }),
  );
}

async function readOutline(
  path: string,
  engine: ToolContext['engine'],
  signal: AbortSignal,
): Promise<Outline> {
  try {
    const response = await engine.cat({ path, density: 'peek' }, { signal });
    return ('outline' in response ? response.outline : null) ?? [];
  } catch (error) {
    if (signal.aborted || isTroveError(error)) return [];
    throw error;
  }
}

function sectionAt(outline: Outline, line: number, title: string | null): string | null {
  const around = outline.filter((entry) => entry.line <= line && line <= entry.end);
  const headings = around.flatMap(({ name }) => name ?? []).slice(-maxHeadings);
  if (headings.length === 0) return null;
  // A title from another place than the headings belongs to the whole text.
  const isHeading = title === null || outline.some(({ name }) => name === title);
  return [...(isHeading ? [] : [title]), ...headings].join(' > ');
}
