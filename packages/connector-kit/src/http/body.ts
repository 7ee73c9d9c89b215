import { TroveError } from '@trove/core';

/** The maximum size of a JSON answer. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** Reads the body of an answer as text. Throws `connector_unhealthy` above the limit. */
export async function readBody(
  response: Response,
  url: URL,
  maxBytes: number = maxAnswerBytes,
): Promise<string> {
  if (response.body === null) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of response.body) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge(url, maxBytes);
      pieces.push(piece);
    }
  } finally {
    await response.body.cancel().catch(() => undefined);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Parses an answer that is JSON by its media type, or looks like it. Undefined for others. A successful answer that is cut
 * off causes a retryable error, and a page for people an error.
 */
export function parseJson(text: string, response: Response, url: URL): unknown {
  if (text.trim() === '') return undefined;
  const type = response.headers.get('content-type') ?? '';
  const isJson = /[/+]json\b/i.test(type);
  const looksLikeJson = /^\s*[[{]/.test(text);
  if (isJson || looksLikeJson) {
    try {
      return JSON.parse(text);
    } catch (error) {
      if (!response.ok) return undefined;
      throw invalidJson(url, error);
    }
  }
  if (!response.ok) return undefined;
  throw new TroveError(
    'connector_unhealthy',
    `${url.host}${url.pathname} returned ${type === '' ? 'no JSON' : type} in place of JSON`,
    {
      suggestions: ['Check the address of the service. A proxy or a login page may answer for it.'],
    },
  );
}

function invalidJson(url: URL, cause: unknown): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `${url.host} returned JSON that is cut off or invalid`,
    {
      cause,
      retryable: true,
      suggestions: [],
    },
  );
}

function tooLarge(url: URL, maxBytes: number): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `${url.host}${url.pathname} returned more than ${maxBytes / 1024 / 1024} MiB`,
    {
      suggestions: ['Request smaller pages.'],
    },
  );
}
