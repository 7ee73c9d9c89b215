// Issues access tokens for refresh tokens over HTTP (RFC 6749 and 7662), with a new refresh token at each use. The
// first one of a user is `refresh USER 0`. Only the newest tokens of a user are valid. `POST /expire` ends the access
// of a user.
import { createServer } from 'node:http';

/** Starts the provider on a free port and returns its address. It ends with the process. */
export async function startOAuthProvider() {
  /** By user: the number of refreshes, and whether the current access is valid. */
  const users = new Map();
  const of = (user) => users.get(user) ?? { uses: 0, isGood: false };
  const ways = {
    '/token': (form) => {
      const [kind, user, uses] = (form.get('refresh_token') ?? '').split(' ');
      if (form.get('client_id') !== 'trove') return [401, { error: 'invalid_client' }];
      if (kind !== 'refresh' || Number(uses) !== of(user).uses)
        return [400, { error: 'invalid_grant' }];
      const next = of(user).uses + 1;
      users.set(user, { uses: next, isGood: true });
      const tokens = {
        access_token: `access_${Buffer.from(`${user} ${next}`).toString('base64url')}`,
        refresh_token: `refresh ${user} ${next}`,
      };
      return [200, { ...tokens, token_type: 'Bearer', expires_in: 3600 }];
    },
    '/introspect': (form) => {
      const token = Buffer.from((form.get('token') ?? '').slice('access_'.length), 'base64url');
      const [user, uses] = token.toString().split(' ');
      const { uses: newest, isGood } = of(user);
      const active = isGood && Number(uses) === newest;
      return [200, { active, username: user }];
    },
    '/expire': (form) => {
      const user = form.get('user');
      users.set(user, { ...of(user), isGood: false });
      return [200, {}];
    },
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      const way = ways[new URL(request.url, 'http://provider').pathname];
      const [status, answer] = way?.(new URLSearchParams(body)) ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}
