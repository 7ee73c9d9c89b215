/** Returns the requested wait of a response in milliseconds. Undefined if it requests none. */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const precise = parsePositive(headers.get('retry-after-ms'));
  if (precise !== undefined) return precise;
  const value = headers.get('retry-after');
  const seconds = parsePositive(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function parsePositive(text: string | null): number | undefined {
  return text !== null && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
