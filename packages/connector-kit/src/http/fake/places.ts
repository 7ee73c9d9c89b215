import { isRecord, textOf, valueAt } from '../json.js';
import type { FakeAnswer, FakeRequest } from './fake-service.js';

/** Values of an answer by their places: `header.link`, `body.meta.next` or `meta.next`. */
export type Places = Readonly<Record<string, unknown>>;

/** Returns a value with another value at a path. `.` is the value itself. */
export function setAt(target: unknown, path: string, value: unknown): unknown {
  if (path === '.' || path === '') return value;
  const [name = '', ...rest] = path.split('.');
  const members = isRecord(target) ? target : {};
  const inner = rest.length === 0 ? value : setAt(members[name], rest.join('.'), value);
  return { ...members, [name]: inner };
}

/** Adds values to an answer. Values that are undefined are left out. */
export function placeAll(answer: FakeAnswer, places: Places): FakeAnswer {
  let { headers, json } = answer;
  for (const [place, value] of Object.entries(places)) {
    if (value === undefined) continue;
    if (place.startsWith('header.'))
      headers = {
        ...headers,
        [place.slice('header.'.length)]: textOf(value) ?? JSON.stringify(value),
      };
    else json = setAt(json, place.replace(/^body\./, ''), value);
  }
  return {
    ...answer,
    ...(headers === undefined ? {} : { headers }),
    ...(json === undefined ? {} : { json }),
  };
}

/** Combines two JSON values. Members of the second one win. */
export function mergeJson(first: unknown, second: unknown): unknown {
  if (!isRecord(first) || !isRecord(second)) return second;
  const merged: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) merged[name] = mergeJson(first[name], value);
  return merged;
}

/** Reads `query.page`, `header.X-Page`, `body.variables.after` or `form.cursor` of a request. */
export function readRequest({ query, headers, body }: FakeRequest, place: string): unknown {
  const [kind = '', ...names] = place.split('.');
  const name = names.join('.');
  if (kind === 'query') return query.get(name) ?? undefined;
  if (kind === 'header') return headers[name.toLowerCase()];
  return valueAt(body, name);
}

/** Whether a value of a description is a path, so the fake can write to its place. */
export function isPath(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('{') && !value.includes('[]');
}
