import { Agent, request } from 'node:http';

const timeoutMs = 600_000;
/** Less than the time after which the server closes an idle connection. */
const idleMs = 4000;

/** Calls a server over keep-alive connections. Throws for any error status. */
export function connect(endpoint, token) {
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  const call = (method, path, body = '') => send({ agent, endpoint, token, method, path, body });
  return {
    get: (path) => call('GET', path),
    delete: (path) => call('DELETE', path),
    post: (path, body) => call('POST', path, JSON.stringify(body)),
    close: () => agent.destroy(),
  };
}

function send({ agent, endpoint, token, method, path, body }) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const sent = request(endpoint + path, { method, agent, headers, signal }, (response) => {
      collected(response, (text) => {
        if (response.statusCode < 300) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    sent.once('error', reject);
    sent.once('close', () => reject(new Error(`${method} ${path}: the connection was closed`)));
    sent.end(body);
  });
}

function collected(response, done) {
  const parts = [];
  response.on('data', (part) => parts.push(part));
  response.once('end', () => done(Buffer.concat(parts).toString()));
}
