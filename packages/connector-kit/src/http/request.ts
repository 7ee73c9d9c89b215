import { TroveError } from '@trove/core';

import type { PageChange, RequestDescription, RequestPart, Scope } from './description/index.js';
import { isList, isRecord } from './json.js';
import { renderJson, renderOptional, renderPath } from './template.js';

/** A request with all values filled in. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly form: Readonly<Record<string, string>> | undefined;
}

/** Combines a request with changes of it. Members of later parts win. */
export function mergeRequests(
  ...parts: readonly (RequestDescription | undefined)[]
): RequestDescription {
  return parts.reduce<RequestDescription>((merged, part) => {
    if (part === undefined) return merged;
    const { get, post } = part.get === undefined && part.post === undefined ? merged : part;
    // A `get` that replaces a `post` has no body.
    const { body, form } = part.get === undefined ? merged : part;
    return {
      ...(get === undefined ? {} : { get }),
      ...(post === undefined ? {} : { post }),
      query: { ...merged.query, ...part.query },
      headers: { ...merged.headers, ...part.headers },
      body: mergeBodies(body, part.body),
      ...(form === undefined && part.form === undefined ? {} : { form: { ...form, ...part.form } }),
    };
  }, {});
}

/** Members of the second body win. A place names an item of a list by its number. */
function mergeBodies(first: unknown, second: unknown): unknown {
  if (second === undefined) return first;
  if (Array.isArray(first) && isRecord(second))
    return first.map((item, at) => mergeBodies(item, second[at]));
  if (!isRecord(first) || !isRecord(second)) return second;
  const merged: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second))
    merged[name] = mergeBodies(first[name], value);
  return merged;
}

/** Fills in the values of a request. `base` is the root of relative paths. */
export function buildRequest(
  description: RequestDescription,
  base: string,
  scope: Scope,
): HttpRequest {
  const path = description.get ?? description.post;
  if (path === undefined)
    throw new TroveError(
      'config_invalid',
      'A request of the description has no `get` and no `post`',
    );
  const url = resolveUrl(renderPath(path, scope), base);
  for (const [name, value] of parametersOf(description, scope))
    url.searchParams.append(name, value);
  return {
    method: description.get === undefined ? 'POST' : 'GET',
    url,
    headers: textsOf(description.headers ?? {}, scope),
    body: bodyOf(description, scope),
    form: description.form === undefined ? undefined : textsOf(description.form, scope),
  };
}

/** Adds parts such as a login to a request. */
export function addToRequest(request: HttpRequest, part: RequestPart, scope: Scope): HttpRequest {
  const url = new URL(request.url);
  for (const [name, value] of parametersOf(part, scope)) url.searchParams.set(name, value);
  return {
    ...request,
    url,
    headers: { ...request.headers, ...textsOf(part.headers ?? {}, scope) },
    body: part.body === undefined ? request.body : mergeBodies(request.body, part.body),
  };
}

/** Applies what distinguishes the request of a page from the first one. */
export function changePage(request: HttpRequest, change: PageChange | null): HttpRequest {
  if (change === null) return request;
  const url = change.url === undefined ? new URL(request.url) : new URL(change.url, request.url);
  let next: HttpRequest = { ...request, url };
  for (const [place, value] of Object.entries(change.values ?? {}))
    next = setPlace(next, place, value);
  return next;
}

function setPlace(
  request: HttpRequest,
  place: string,
  value: string | number | boolean,
): HttpRequest {
  const [kind, ...names] = place.split('.');
  const name = names.join('.');
  switch (kind) {
    case 'query':
      request.url.searchParams.set(name, String(value));
      return request;
    case 'header':
      return { ...request, headers: { ...request.headers, [name]: String(value) } };
    case 'form':
      return { ...request, form: { ...request.form, [name]: String(value) } };
    default:
      return { ...request, body: mergeBodies(request.body, nest(names, value)) };
  }
}

function nest(names: readonly string[], value: unknown): unknown {
  return names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** Appends a path to the base, which may have a path of its own. */
function resolveUrl(path: string, base: string): URL {
  if (/^https?:\/\//i.test(path)) return new URL(path);
  const root = base.replace(/\/+$/, '');
  if (!URL.canParse(root))
    throw new TroveError('config_invalid', `The base "${root}" of the service is not a URL`);
  return new URL(`${root}${path === '' || path.startsWith('/') ? path : `/${path}`}`);
}

function parametersOf(
  { query = {} }: RequestPart,
  scope: Scope,
): readonly (readonly [string, string])[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const values: readonly (typeof value)[] = isList(value) ? value : [value];
    return values.flatMap((each): (readonly [string, string])[] => {
      const text = oneText(each, scope);
      return text === undefined ? [] : [[name, text]];
    });
  });
}

function textsOf(
  values: NonNullable<RequestPart['headers'] | RequestPart['form']>,
  scope: Scope,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = oneText(value, scope);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function oneText(
  value: NonNullable<RequestPart['query']>[string],
  scope: Scope,
): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isList(value) ? undefined : renderOptional(value, scope);
}

function bodyOf({ body }: RequestPart, scope: Scope): unknown {
  return typeof body === 'function' ? body(scope) : renderJson(body, scope);
}
