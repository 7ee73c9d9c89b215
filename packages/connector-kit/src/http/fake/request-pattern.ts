import { isRecord, textOf } from '../json.js';
import type { HttpRequest } from '../request.js';
import type { FakeRequest } from './fake-service.js';

/** Values of a request by the names of their placeholders: `since`, `key.id`. */
export type Captures = Readonly<Record<string, string>>;

/** Requests that differ only in some values. */
export interface RequestPattern {
  readonly request: HttpRequest;
  /** The number of parameters, headers and members that must be equal. */
  readonly literals: number;
  /** The number of values that a request states. */
  readonly captures: number;
}

const marker = /__trove\.([\w.]+?)__/g;

/** Returns a text that stands for any value in the pattern of a request. */
export function markerOf(name: string): string {
  return `__trove.${name}__`;
}

export function patternOf(request: HttpRequest): RequestPattern {
  const parts = JSON.stringify([request.url, request.headers, request.body, request.form]);
  return {
    request,
    literals:
      request.url.searchParams.size +
      Object.keys(request.headers).length +
      countLeaves(request.body) +
      countLeaves(request.form),
    captures: parts.match(marker)?.length ?? 0,
  };
}

function countLeaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countLeaves(member), 0);
}

/** Returns the values that a request states, or null if it does not match. It may have more members than the pattern. */
export function matchRequest(
  { request: expected }: RequestPattern,
  request: FakeRequest,
): Captures | null {
  const found: Record<string, string> = {};
  const { url, headers, body, form } = expected;
  const isMatch =
    expected.method === request.method &&
    matchText(url.pathname, request.path, found, decodeURIComponent) &&
    [...url.searchParams].every(([name, value]) =>
      request.query.getAll(name).some((actual) => matchText(value, actual, found)),
    ) &&
    Object.entries(headers).every(([name, value]) =>
      matchText(value, request.headers[name.toLowerCase()] ?? '', found),
    ) &&
    matchValue(form ?? body, request.body, found);
  return isMatch ? found : null;
}

function matchValue(expected: unknown, actual: unknown, found: Record<string, string>): boolean {
  if (expected === undefined) return true;
  if (typeof expected === 'string') return matchText(expected, textOf(actual) ?? '', found);
  if (Array.isArray(expected)) return JSON.stringify(expected) === JSON.stringify(actual);
  if (!isRecord(expected)) return expected === actual;
  return (
    isRecord(actual) &&
    Object.entries(expected).every(([name, value]) => matchValue(value, actual[name], found))
  );
}

function matchText(
  expected: string,
  actual: string,
  found: Record<string, string>,
  decode: (text: string) => string = (text) => text,
): boolean {
  const names = [...expected.matchAll(marker)].map(([, name = '']) => name);
  if (names.length === 0) return expected === actual;
  const literals = expected
    .split(/__trove\.[\w.]+?__/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const match = new RegExp(`^${literals.join('(.+?)')}$`, 's').exec(actual);
  if (match === null) return false;
  // A step of a path is one value.
  if (decode === decodeURIComponent && match.slice(1).some((text) => text.includes('/')))
    return false;
  for (const [at, name] of names.entries()) found[name] = decode(match[at + 1] ?? '');
  return true;
}
