import type { FakeRequest } from '@trove/connector-kit/http/fake';

/** The arguments of a call: from the query, a form or JSON. */
export type Arguments = ReadonlyMap<string, string>;

export function argumentsOf({ query, body }: FakeRequest): Arguments {
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const texts = members.map(([name, value]): [string, string] => [name, String(value)]);
  return new Map([...query, ...texts]);
}

export function isTrue(text: string | undefined): boolean {
  return text === 'true' || text === '1';
}
