import { TroveError, type GrepPosition } from '@trove/core';

/** The start of the next page: a source and the last match returned from it. */
export interface GrepCursor {
  readonly connectorId: string;
  readonly after: GrepPosition;
}

/** Formats a cursor as the text that callers pass back. */
export function formatCursor({ connectorId, after }: GrepCursor): string {
  return Buffer.from(JSON.stringify([connectorId, after.path, after.matches])).toString(
    'base64url',
  );
}

/** Parses a cursor. Throws `validation_error` for a text that was not returned by grep. */
export function parseCursor(text: string): GrepCursor {
  const parts = partsOf(text);
  const [connectorId, path, matches, ...others] = parts;
  const isValid =
    typeof connectorId === 'string' &&
    typeof path === 'string' &&
    typeof matches === 'number' &&
    Number.isSafeInteger(matches) &&
    matches >= 0 &&
    others.length === 0;
  if (!isValid) throw invalidCursor('must be the `next` of a previous answer');
  return { connectorId, after: { path, matches } };
}

export function invalidCursor(reason: string): TroveError {
  return new TroveError('validation_error', `cursor: ${reason}`, {
    suggestions: ['Start again without a cursor.'],
  });
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
