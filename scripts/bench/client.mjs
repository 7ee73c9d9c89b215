import { Agent, request } from 'node:http';

/** Calls a server over connections that stay open. Throws for any answer but a success. */
export function connect(endpoint, token) {
  const agent = new Agent({ keepAlive: true });
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, JSON.stringify(body)),
    close: () => agent.destroy(),
  };

  function call(method, path, body = '') {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const sent = request(endpoint + path, { method, agent, headers }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part)).once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(parts).toString();
          if (response.statusCode < 300) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      sent.once('error', reject).end(body);
    });
  }
}
