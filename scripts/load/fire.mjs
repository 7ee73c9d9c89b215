import autocannon from 'autocannon';

/** Longer than any limit of the server's own on what is asked here. */
const TIMEOUT_S = 60;

/**
 * Sends the requests of one try over and over, on so many connections at once. Resolves with the milliseconds of each
 * answer and with everything that went wrong: `{ times, seconds, errors: Map(what → how often) }`.
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
  const running = autocannon({
    url: endpoint,
    connections,
    duration: seconds,
    timeout: TIMEOUT_S,
    headers: { authorization: `Bearer ${token}` },
    requests,
    // All would ask the same at the same time otherwise.
    setupClient: (client) => client.setRequests(from(requests, connected++ / connections)),
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

/** The same requests, beginning at another place of the list. */
function from(requests, share) {
  const start = Math.floor(share * requests.length);
  return [...requests.slice(start), ...requests.slice(0, start)];
}
