import { createServer } from 'node:http';

const token = 'a-s3cret-token';

interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly changed: string;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** A service that keeps notes in memory, and speaks over HTTP as the real one does: a token, two notes a page. */
export async function startService() {
  const notes = new Map<string, Note>();
  let changes = 0;
  const set = (id: string, text: string): void => {
    const changed = new Date(Date.UTC(2026, 0, 1, 0, 0, ++changes)).toISOString();
    notes.set(id, { id, title: `About ${id}`, text, author: 'Ada', changed });
  };
  for (const id of ['tea', 'bread & butter', 'ümlauts #1']) set(id, `Notes\non\n${id}.`);

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://service');
    const [, wanted] = /^\/notes\/(.+)$/.exec(url.pathname) ?? [];
    const answer = (status: number, body: object) =>
      response.writeHead(status).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, {});
    if (wanted === undefined) return answer(200, pageOf([...notes.values()], url));
    const note = notes.get(decodeURIComponent(wanted));
    return note === undefined ? answer(404, {}) : answer(200, note);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    config: { url: `http://127.0.0.1:${port}`, token },
    notes,
    set,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pageOf(all: readonly Note[], url: URL): object {
  const from = Number(url.searchParams.get('from') ?? 0);
  const rest = all.length > from + 2 ? { next: `/notes?from=${from + 2}` } : {};
  return { notes: all.slice(from, from + 2), ...rest };
}
