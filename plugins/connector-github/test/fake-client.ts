import type { Fault } from '@trove/connector-kit/http/fake';
import type { FakeGithub } from './fake.js';

export const base = '/repos/acme/rocket';
export const all = `${base}/issues?state=all&sort=updated&direction=asc`;

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function get(
  fake: FakeGithub,
  pathOrUrl: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> {
  const url = new URL(pathOrUrl, fake.service.origin);
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { authorization: 'Bearer token-1', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export function rows({ text }: Got): Record<string, unknown>[] {
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error(`not a list: ${text}`);
  return found;
}

export function messageOf({ text }: Got): unknown {
  const answer: { message?: unknown } = JSON.parse(text);
  return answer.message;
}

export function linkOf({ headers }: Got, rel: string): string | undefined {
  const links = (headers.get('link') ?? '').split(', ');
  return links.find((link) => link.endsWith(`rel="${rel}"`))?.match(/^<(.*)>/)?.[1];
}

/** Follows the links and returns the numbers of each page. */
export async function pages(fake: FakeGithub, path: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Got = await get(fake, next);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    found.push(rows(answer).map(({ number }) => number));
    next = linkOf(answer, 'next');
  }
  return found;
}

export function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );
}

export function fill({ world }: FakeGithub, count: number): void {
  for (let number = 1; number <= count; number++) {
    world.advance(1000);
    world.createIssue({ title: `Issue ${number}` });
  }
}

export const isListing: Fault['matches'] = ({ path }) => path.endsWith('/issues');
