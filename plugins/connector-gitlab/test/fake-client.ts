import type { Fault } from '@trove/connector-kit/http/fake';
import type { FakeGitlab } from './fake.js';

export const base = '/api/v4/projects/acme%2Ftools%2Frocket';
export const all = `${base}/issues?order_by=updated_at&sort=asc`;

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function get(
  fake: FakeGitlab,
  pathOrUrl: string,
  headers: Readonly<Record<string, string>> = { 'private-token': 'token-1' },
): Promise<Got> {
  const response = await fetch(new URL(pathOrUrl, fake.service.origin), { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export function rows({ text }: Got): Record<string, unknown>[] {
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error(`not a list: ${text}`);
  return found;
}

export function linkOf({ headers }: Got, rel: string): string | undefined {
  const links = (headers.get('link') ?? '').split(', ');
  return links.find((link) => link.endsWith(`rel="${rel}"`))?.match(/^<(.*)>/)?.[1];
}

/** Follows the links and returns the numbers of each page. */
export async function pages(fake: FakeGitlab, path: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Got = await get(fake, next);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    found.push(rows(answer).map(({ iid }) => iid));
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

export function fill({ world }: FakeGitlab, count: number): void {
  for (let iid = 1; iid <= count; iid++) {
    world.advance(1000);
    world.create('issue', { title: `Issue ${iid}` });
  }
}

export const isListing: Fault['matches'] = ({ path }) => path.endsWith('/issues');
