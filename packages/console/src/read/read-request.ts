import {
  type CatParameters,
  type CatResponse,
  type ObjectMeta,
  TroveApiError,
  type TroveClient,
} from '@trove/client';
import type { PartLocator } from '../parts/locators.js';

/** The part of an object that the address names. */
export interface ReadChoice {
  readonly path: string;
  /** The lines to point out. */
  readonly lines: readonly [number, number] | null;
  readonly locator: PartLocator;
  /** The first line or record of the page. */
  readonly from: number;
}

/** Lines or records of a page. */
export const pageLines = 500;
/** Lines before those of a hit. */
const linesBefore = 40;

export function readChoiceOf(params: URLSearchParams): ReadChoice {
  const lines = parseLines(params.get('lines'));
  const from = Number(params.get('from') ?? '');
  return {
    path: params.get('path') ?? '',
    lines,
    locator: parseLocator(params.get('locator')),
    from: Number.isInteger(from) && from > 0 ? from : firstLineOf(lines),
  };
}

/** Returns the request for the page. */
export function catRequest({ path, locator, from }: ReadChoice): CatParameters {
  if (locator !== null) return { path, locator: JSON.stringify(locator) };
  return { path, range: `${from}:${from + pageLines - 1}` };
}

/** Starts at the beginning if the page then contains the lines. */
function firstLineOf(lines: ReadChoice['lines']): number {
  if (lines === null || lines[1] <= pageLines) return 1;
  return Math.max(1, lines[0] - linesBefore);
}

function parseLines(text: string | null): ReadChoice['lines'] {
  const [, from, to] = /^(\d{1,9}):(\d{1,9})$/.exec(text ?? '') ?? [];
  return from === undefined || to === undefined ? null : [Number(from), Number(to)];
}

function parseLocator(text: string | null): PartLocator {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a page. A source whose records have no order has only a first page. */
export async function readPage(
  { browse }: TroveClient,
  request: CatParameters,
  signal: AbortSignal,
): Promise<CatResponse | ObjectMeta> {
  try {
    return await browse.cat(request, { signal });
  } catch (error) {
    const isUnordered = error instanceof TroveApiError && error.code === 'range_unsupported';
    if (!isUnordered) throw error;
    return browse.head({ path: request.path, n: pageLines }, { signal });
  }
}
