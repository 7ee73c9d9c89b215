import { Agent, request as httpRequest } from 'node:http';

/** A slower response is a fault, because it occupies resources that other requests need. */
const patienceMs = 30_000;
/** Responses are stored up to this size. The rest is only counted. */
const keptBytes = 16 * 1024 * 1024;

/** Sends requests `{ method, target, headers, body }` over keep-alive connections. */
export function makeSender({ endpoint, maxSockets = 8 }) {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const { hostname, port } = new URL(endpoint);
  const once = (wanted) => send({ agent, hostname, port, ...wanted });
  return {
    /** Resolves with `{ status, headers, text, ms }`. Rejects without a response. */
    send: (wanted) =>
      once(wanted).catch((error) => {
        // The server may close an idle connection at the moment of its reuse.
        if (error.code === 'ECONNRESET' && error.reused) return once(wanted);
        throw error;
      }),
    close: () => agent.destroy(),
  };
}

function send({ agent, hostname, port, method, target, headers = {}, body }) {
  const started = performance.now();
  const signal = AbortSignal.timeout(patienceMs);
  return new Promise((resolve, reject) => {
    const options = { agent, hostname, port, method, path: target, headers, signal };
    const sent = httpRequest(options, (response) => {
      const parts = [];
      let size = 0;
      response.on('data', (part) => {
        size += part.length;
        if (size <= keptBytes) parts.push(part);
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
          complete: size <= keptBytes,
          ms: performance.now() - started,
        }),
      );
    });
    // A connection may fail again while it is destroyed.
    sent.on('error', (error) => reject(Object.assign(error, { reused: sent.reusedSocket })));
    sent.end(body);
  });
}
