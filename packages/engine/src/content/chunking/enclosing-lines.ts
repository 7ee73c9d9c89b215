import { definitionsOf } from './code-definitions.js';
import { formatOf, hasOutline, type ClassifiedText } from './format.js';
import { Lines } from './lines.js';

/** The lines of a definition, numbered from 1, and the number of lines of the text. */
export interface EnclosingLines {
  /** Null: no definition encloses the line. */
  readonly lines: readonly [from: number, to: number] | null;
  readonly total: number;
}

/**
 * Returns the lines of the smallest definition or section that contains a line, with the comments and decorators
 * directly above it.
 */
export function enclosingLines(source: ClassifiedText, lineNumber: number): EnclosingLines {
  const total = new Lines(source.text).count;
  const format = formatOf(source);
  if (!hasOutline(format)) return { lines: null, total };
  const line = lineNumber - 1;
  let smallest: readonly [number, number] | null = null;
  for (const { start, end } of definitionsOf(source, format)) {
    if (start > line || end < line) continue;
    if (smallest === null || end - start <= smallest[1] - smallest[0]) smallest = [start, end];
  }
  return { lines: smallest && [smallest[0] + 1, smallest[1] + 1], total };
}
