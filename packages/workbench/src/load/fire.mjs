import autocannon from 'autocannon';

/** Longer than any time limit of the server for these requests. */
const timeoutS = 60;
/**
 * Sends the requests of one scenario repeatedly over concurrent connections that start at the same moment. Resolves
 * with the response times in milliseconds and all errors: `{ times, seconds, errors: Map(what → how often) }`.
 */
export async function fire(
  { endpoint, token },
  { requests, expected = [200] },
  { connections, seconds },
) {
  const times = [];
  const errors = new Map();
  const count = (what, by = 1) => void (by > 0 && errors.set(what, (errors.get(what) ?? 0) + by));
  let connected = 0;
  const builtWhenSent = requests.map((request) => ({ ...request, setupRequest: unchanged }));
  const running = autocannon({
    url: endpoint,
    connections,
    duration: seconds,
    timeout: timeoutS,
    headers: { authorization: `Bearer ${token}` },
    // Otherwise all connections would send the same request at the same time. With the option `requests`, each
    // connection would build all requests before the first is sent, which adds more than a second to the first
    // responses.
    setupClient: (client) => client.setRequests(from(builtWhenSent, connected++ / connections)),
  });
  running.on('response', (_client, status, _bytes, ms) => {
    times.push(ms);
    if (!expected.includes(status)) count(`status ${status}`);
  });
  const result = await running;
  count('timeouts', result.timeouts);
  count('connection errors', result.errors - result.timeouts);
  return { times, seconds: result.duration, errors };
}

function unchanged(request) {
  return request;
}

/** Returns the same requests, starting at another position of the list. */
function from(requests, share) {
  const start = Math.floor(share * requests.length);
  return [...requests.slice(start), ...requests.slice(0, start)];
}
