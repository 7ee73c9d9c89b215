/**
 * A draft is a generated request: `{ operation, intent, label, params, query, body, raw, headers, token }`. Its values
 * may be references `{ from, at }` to earlier data of the server. `materialise` resolves them, so that a seed alone can
 * reproduce a case.
 */
export function reference(from, at) {
  return { from, at };
}

/** Returns the request to send: `{ method, target, headers, body }`. */
export function materialise(draft, corpus, token) {
  const { operation } = draft;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    percent(valueOf(draft.params?.[name] ?? '', corpus)),
  );
  const query = (draft.query ?? [])
    .map(([name, value]) => `${percent(name)}=${percent(valueOf(value, corpus))}`)
    .join('&');
  const body = bodyOf(draft, corpus);
  return {
    method: draft.method ?? operation.method,
    target: query === '' ? path : `${path}?${query}`,
    headers: {
      ...authorization(draft.token ?? 'right', token),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...draft.headers,
    },
    body,
  };
}

function authorization(kind, token) {
  if (kind === 'none') return {};
  return { authorization: `Bearer ${kind === 'right' ? token : 'wrong'}` };
}

function bodyOf({ body, raw }, corpus) {
  if (raw !== undefined) return raw instanceof Uint8Array ? Buffer.from(raw) : Buffer.from(raw);
  if (body === undefined) return undefined;
  return Buffer.from(JSON.stringify(deep(body, corpus)));
}

function deep(value, corpus) {
  if (Array.isArray(value)) return value.map((item) => deep(item, corpus));
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) return valueOf(value, corpus);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item, corpus)]));
}

function valueOf(value, corpus) {
  if (!isReference(value)) return value;
  const pool = corpus[value.from];
  if (pool === undefined || pool.length === 0) throw new Error(`the corpus has no ${value.from}`);
  const found = pool[value.at % pool.length];
  return value.suffix === undefined ? found : found + value.suffix;
}

function isReference(value) {
  return typeof value === 'object' && value !== null && 'from' in value && 'at' in value;
}

/** Keeps `{ encoded }` unchanged. In other texts, a lone surrogate becomes its bytes. */
function percent(value) {
  if (typeof value === 'object' && value !== null && 'encoded' in value) return value.encoded;
  const text = String(value);
  if (text.isWellFormed()) return encodeURIComponent(text);
  return text.replaceAll(/\p{Surrogate}|[^\p{Surrogate}]+/gu, (part) =>
    part.isWellFormed() ? encodeURIComponent(part) : surrogate(part.charCodeAt(0)),
  );
}

function surrogate(unit) {
  const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
  return bytes.map((byte) => `%${byte.toString(16)}`).join('');
}
