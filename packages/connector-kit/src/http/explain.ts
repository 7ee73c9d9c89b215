import type {
  HttpDescription,
  Incremental,
  RequestDescription,
  RequestPart,
  Scope,
  Text,
} from './description/index.js';
import { rootScope } from './scope.js';
import { renderOptional } from './template.js';
import { durationMs, formatTime } from './times.js';

/** A kind of request that a sync makes. */
export interface ExplainedRequest {
  /** `check`, or the name of the stream. */
  readonly name: string;
  /** When a sync makes it. `first` and `later` are syncs without and with a cursor. */
  readonly sync: 'every' | 'first' | 'later';
  /** The stream for each item of which it is made. */
  readonly for?: string;
  readonly method: 'GET' | 'POST';
  /** The URL of the first page, without the login. Values that only an answer has stay placeholders. */
  readonly url: string;
}

/** Returns the kinds of requests that syncs of a source make, without making one. `lastSync`: the cursor of the later sync. */
export function explainRequests(
  description: HttpDescription,
  source: { readonly config: unknown; readonly target: string },
  lastSync: Date,
): readonly ExplainedRequest[] {
  const scope = rootScope(source.config, source.target);
  const base = showText(description.base, scope).replace(/\/+$/, '');
  const show = (
    request: RequestDescription,
    sent: RequestPart | undefined,
    own: Scope,
  ): Pick<ExplainedRequest, 'method' | 'url'> => ({
    method: request.get === undefined ? 'POST' : 'GET',
    url: showUrl(request, sent, base, own),
  });
  const check: ExplainedRequest = {
    name: 'check',
    sync: 'every',
    ...show(description.check, undefined, scope),
  };
  const streams = Object.entries(description.streams).flatMap(
    ([name, stream]): readonly ExplainedRequest[] => {
      const { incremental, for: parent } = stream;
      const common = { name, ...(parent === undefined ? {} : { for: parent }) };
      const first = show(stream, undefined, scope);
      if (incremental === undefined) return [{ ...common, sync: 'every', ...first }];
      const later =
        incremental.by === 'feed'
          ? show(incremental.changes, undefined, scope)
          : show(stream, incremental.send, withSince(incremental, lastSync, scope));
      return [
        { ...common, sync: 'first', ...first },
        { ...common, sync: 'later', ...later },
      ];
    },
  );
  return [check, ...streams];
}

function withSince(
  incremental: Exclude<Incremental, { by: 'feed' }>,
  lastSync: Date,
  scope: Scope,
): Scope {
  const backMs = durationMs(incremental.by === 'window' ? incremental.last : incremental.overlap);
  const format = 'format' in incremental ? incremental.format : undefined;
  return { ...scope, values: { since: formatTime(lastSync.getTime() - backMs, format) } };
}

function showUrl(
  request: RequestDescription,
  sent: RequestPart | undefined,
  base: string,
  scope: Scope,
): string {
  const path = showText(request.get ?? request.post ?? '', scope);
  const url = /^https?:\/\//i.test(path)
    ? path
    : `${base}${path.startsWith('/') ? '' : '/'}${path}`;
  const query = Object.entries({ ...request.query, ...sent?.query }).map(([name, value]) => {
    const isText = typeof value === 'string' || typeof value === 'function';
    return `${name}=${isText ? showText(value, scope) : String(value)}`;
  });
  return query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Fills in the known placeholders of a text, and keeps the others. */
function showText(text: Text, scope: Scope): string {
  if (typeof text === 'function') return '{computed}';
  return text.replace(
    /\{[^{}\s]+\}/g,
    (placeholder) => renderOptional(placeholder, scope) ?? placeholder,
  );
}
