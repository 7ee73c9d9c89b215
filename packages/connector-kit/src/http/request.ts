import { TroveError } from '@trove/core';

import type {
  GraphqlPart,
  HttpDescription,
  PageChange,
  RequestDescription,
  RequestPart,
  Scope,
} from './description/index.js';
import { isList, isRecord } from './json.js';
import { renderJson, renderOptional, renderPath } from './template.js';

/** A request with all values filled in. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly form: Readonly<Record<string, string>> | undefined;
  /** Whether the body is a query of GraphQL, whose answers state errors in their own form. */
  readonly isGraphql: boolean;
}

/** Whether a request has an address of its own, or that of GraphQL. */
export function isAddressed({ get, post, graphql }: RequestDescription): boolean {
  return get !== undefined || post !== undefined || graphql !== undefined;
}

/** Adds what all requests of a service have: headers, and the address of GraphQL. */
export function completeRequest<R extends RequestDescription>(
  service: Pick<HttpDescription, 'graphql' | 'headers'>,
  request: R,
): R {
  const { get, post, graphql } = request;
  const isQuery = graphql !== undefined && get === undefined && post === undefined;
  return {
    ...request,
    ...(isQuery ? { post: service.graphql ?? '/graphql' } : {}),
    headers: { ...service.headers, ...request.headers },
  };
}

/** Combines a request with changes of it. Members of later parts win. */
export function mergeRequests(
  ...parts: readonly (RequestDescription | undefined)[]
): RequestDescription {
  return parts.reduce<RequestDescription>((merged, part) => {
    if (part === undefined) return merged;
    const { get, post } = isAddressed(part) ? part : merged;
    // A `get` that replaces a `post` has no body.
    const { body, form } = part.get === undefined ? merged : part;
    const isOther = part.get !== undefined || part.post !== undefined;
    const graphql = mergeQueries(isOther ? undefined : merged.graphql, part.graphql);
    return {
      ...(get === undefined ? {} : { get }),
      ...(post === undefined ? {} : { post }),
      query: { ...merged.query, ...part.query },
      headers: { ...merged.headers, ...part.headers },
      body: mergeBodies(body, part.body),
      ...(form === undefined && part.form === undefined ? {} : { form: { ...form, ...part.form } }),
      ...(graphql === undefined ? {} : { graphql }),
    };
  }, {});
}

function mergeQueries(
  first: GraphqlPart | undefined,
  second: GraphqlPart | undefined,
): GraphqlPart | undefined {
  if (first === undefined || second === undefined) return second ?? first;
  const variables: Record<string, NonNullable<GraphqlPart['variables']>[string]> = {
    ...first.variables,
  };
  for (const [name, value] of Object.entries(second.variables ?? {})) {
    const earlier = variables[name];
    variables[name] = isRecord(earlier) && isRecord(value) ? mergeObjects(earlier, value) : value;
  }
  return { ...first, ...second, variables };
}

/** Members of the second body win. A place names an item of a list by its number. */
function mergeBodies(first: unknown, second: unknown): unknown {
  if (second === undefined) return first;
  if (Array.isArray(first) && isRecord(second))
    return first.map((item, at) => mergeBodies(item, second[at]));
  return isRecord(first) && isRecord(second) ? mergeObjects(first, second) : second;
}

function mergeObjects(
  first: Readonly<Record<string, unknown>>,
  second: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
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
    isGraphql: description.graphql !== undefined,
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

/** Matches a step that URLs resolve, also if it is escaped. */
const dots = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i;

/** Appends a path to the base, which may have a path of its own. Throws for a name of dots, which would lead to another path. */
function resolveUrl(path: string, base: string): URL {
  if (/^https?:\/\//i.test(path)) return new URL(path);
  if (dots.test(path.replace(/[?#].*$/s, '')))
    throw new TroveError('not_found', 'The service has nothing with a name of dots');
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

function bodyOf({ body, graphql }: RequestPart, scope: Scope): unknown {
  if (graphql !== undefined)
    return { query: graphql.query, variables: variablesOf(graphql, scope) };
  return typeof body === 'function' ? body(scope) : renderJson(body, scope);
}

function variablesOf({ variables = {} }: GraphqlPart, scope: Scope): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      const found = typeof value === 'function' ? value(scope) : renderJson(value, scope);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}
