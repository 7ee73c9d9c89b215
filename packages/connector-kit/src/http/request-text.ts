import type {
  GraphqlPart,
  RequestDescription,
  RequestPart,
  Scope,
  Text,
} from './description/index.js';
import { isList, isRecord, textOf } from './json.js';
import { renderOptional } from './template.js';
import { unknownText } from './unknown-value.js';

/** A request as people read it, without headers. */
export interface RequestText {
  /** `GET https://…` */
  readonly request: string;
  readonly body?: string;
}

/** The scopes of a request that is not made. */
export interface ExplainScope {
  /** Has the known values. Placeholders without a value in it stay as they are. */
  readonly known: Scope;
  /** The same with stand-ins for unknown values, for functions. */
  readonly assumed: Scope;
}

const placeholders = /\{\+?([A-Za-z_][\w.[\]-]*)\}/g;
const escapedPlaceholders = /%7B([\w.]+)%7D/gi;
/** The value of a function that needs an answer of the service. */
const computed = '{computed}';

/** Writes a request as a text. */
export function requestText(
  description: RequestDescription,
  base: string,
  scope: ExplainScope,
): RequestText {
  const method = description.get === undefined ? 'POST' : 'GET';
  const path = pathText(description.get ?? description.post ?? '', scope);
  const isWhole = /^(?:https?:\/\/|\{computed\})/i.test(path);
  const slash = path === '' || path.startsWith('/') ? '' : '/';
  const url = isWhole ? path : `${base.replace(/\/+$/, '')}${slash}${path}`;
  const query = parametersOf(description.query ?? {}, scope);
  const separator = url.includes('?') ? '&' : '?';
  const body = bodyText(description, scope);
  return {
    request: `${method} ${query === '' ? url : `${url}${separator}${query}`}`,
    ...(body === undefined ? {} : { body }),
  };
}

/** Fills in the known values of a text. Returns undefined if the text has a value that is not set. */
export function knownText(
  text: Text,
  { known, assumed }: ExplainScope,
  escape: (value: string) => string = (value) => value,
): string | undefined {
  if (typeof text === 'function') return callText(text, assumed);
  let isSet = true;
  const filled = text.replace(placeholders, (placeholder, path: string) => {
    const value = renderOptional(placeholder, known, escape);
    if (value === undefined && isSetting(path, known)) isSet = false;
    return value ?? `{${path}}`;
  });
  return isSet ? filled : undefined;
}

/** Without an answer, a function may fail. */
function callText(text: Exclude<Text, string>, assumed: Scope): string | undefined {
  try {
    const value: unknown = text(assumed);
    return unknownText(value) ?? textOf(value);
  } catch {
    return computed;
  }
}

/** Whether a placeholder is known before any answer, even if it has no value. */
function isSetting(path: string, { values }: Scope): boolean {
  const [first = ''] = path.split('.');
  return first === 'config' || first === 'target' || Object.hasOwn(values, first);
}

function pathText(path: Text, scope: ExplainScope): string {
  const keepsSlashes = typeof path === 'string' && path.includes('{+');
  const escape = (value: string): string =>
    keepsSlashes ? encodeURI(value) : encodeURIComponent(value);
  const text = knownText(path, scope, escape) ?? (typeof path === 'string' ? path : computed);
  return text.replace(escapedPlaceholders, '{$1}');
}

function parametersOf(
  parameters: NonNullable<RequestPart['form'] | RequestPart['query']>,
  scope: ExplainScope,
): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => {
      const texts: readonly (boolean | number | Text)[] = isList(value) ? value : [value];
      return texts.flatMap((each) => {
        const isText = typeof each === 'string' || typeof each === 'function';
        const text = isText ? knownText(each, scope) : String(each);
        return text === undefined ? [] : [`${name}=${readable(text)}`];
      });
    })
    .join('&');
}

/** Escapes only what would end the parameter, so that people can read the others. */
function readable(text: string): string {
  return text.replace(/[%&#+]/g, encodeURIComponent).replace(/\s/g, '+');
}

function bodyText(
  { body, form, graphql }: RequestDescription,
  scope: ExplainScope,
): string | undefined {
  if (form !== undefined) return parametersOf(form, scope);
  if (graphql !== undefined) return queryText(graphql, scope);
  if (body === undefined) return undefined;
  if (typeof body !== 'function') return JSON.stringify(knownJson(body, scope));
  try {
    return JSON.stringify(body(scope.assumed));
  } catch {
    return computed;
  }
}

/** Writes the variables after the query, because its line breaks would be escaped in JSON. */
function queryText({ query = '', variables = {} }: GraphqlPart, scope: ExplainScope): string {
  const values = Object.entries(variables).map(([name, value]) => [
    name,
    typeof value === 'function' ? callFunction(value, scope) : knownJson(value, scope),
  ]);
  const document = query.trim().replace(/\s+/g, ' ');
  return `${document} ${JSON.stringify(Object.fromEntries(values))}`;
}

function callFunction(make: (scope: Scope) => unknown, { assumed }: ExplainScope): unknown {
  try {
    return make(assumed);
  } catch {
    return computed;
  }
}

function knownJson(value: unknown, scope: ExplainScope): unknown {
  if (typeof value === 'string') return knownText(value, scope);
  if (Array.isArray(value)) return value.map((item) => knownJson(item, scope));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, knownJson(member, scope)]),
  );
}
