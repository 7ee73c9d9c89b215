import { createServer } from 'node:http';

const token = 'a-s3cret-token';

/** Starts a notes service over HTTP, with notes in memory. It requires a token and returns two notes per page. */
export async function startService() {
  const notes = new Map();
  let changes = 0;
  const set = (id, text) => {
    const changed = new Date(Date.UTC(2026, 0, 1, 0, 0, ++changes)).toISOString();
    notes.set(id, { id, title: `About ${id}`, text, author: 'Ada', changed });
  };
  for (const id of ['tea', 'bread & butter', 'ümlauts #1']) set(id, `Notes\non\n${id}.`);

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://service');
    const [, id] = /^\/notes\/(.+)$/.exec(url.pathname) ?? [];
    const send = (status, body) => response.writeHead(status).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, {});
    if (id === undefined) return send(200, pageOf([...notes.values()], url));
    const note = notes.get(decodeURIComponent(id));
    return note === undefined ? send(404, {}) : send(200, note);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    config: { url: `http://127.0.0.1:${port}`, token },
    notes,
    set,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pageOf(all, url) {
  const from = Number(url.searchParams.get('from') ?? 0);
  const rest = all.length > from + 2 ? { next: `/notes?from=${from + 2}` } : {};
  return { notes: all.slice(from, from + 2), ...rest };
}
