import type { SearchParameters } from '@trove/client';
import { shellQuote } from '../parts/shell-quote.js';

/** Parameters of `/v1/search` that the tool of agents has under the same name. */
const toolParameters = ['path', 'mode', 'type', 'since', 'sort'] as const;

/** Returns the search as a call of curl. `base` is the address of the server. */
export function curlOf(base: string, request: SearchParameters): string {
  const query = new URLSearchParams(
    Object.entries(request).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `curl -H "Authorization: Bearer $TROVE_API_TOKEN" ${shellQuote(`${base}/v1/search?${query}`)}`;
}

/** Returns the search as a command line of `trove`. */
export function commandOf({ q, path, ...options }: SearchParameters): string {
  const words = ['trove', 'search', shellQuote(q)];
  if (path !== undefined) words.push(shellQuote(path));
  for (const name of ['mode', 'kind', 'type', 'since', 'sort'] as const) {
    const value = options[name];
    if (value !== undefined) words.push(`--${name}`, shellQuote(value));
  }
  return words.join(' ');
}

/** Returns the search as a call of the tool `search` of the Model Context Protocol. */
export function toolCallOf(request: SearchParameters): string {
  const given = toolParameters.flatMap((name) =>
    request[name] === undefined ? [] : [[name, request[name]]],
  );
  const filter = request.kind === undefined ? {} : { filter: filterOf(request.kind) };
  const call = {
    name: 'search',
    arguments: { query: request.q, ...Object.fromEntries(given), ...filter },
  };
  return JSON.stringify(call, null, 2);
}

/** The tool has no parameter for kinds. */
function filterOf(kinds: string): string {
  return `chunk_kind in (${kinds
    .split(',')
    .map((kind) => JSON.stringify(kind))
    .join(', ')})`;
}
