import autocannon from 'autocannon';

/** Longer than any limit of the server's own on what is asked here. */
const TIMEOUT_S = 60;
/** All connections begin at the same moment, with what nobody has asked for a while. */
const BURST_MS = 1000;

/**
 * Sends the requests of one try over and over, on so many connections at once. Resolves with the milliseconds that answers
 * took to what was asked after the first second, and to what was asked in it, and with everything that went wrong:
 * `{ times, burst, seconds, errors: Map(what → how often) }`.
 */
export async function fire(
  { endpoint, token },
  { requests, expected = [200] },
  { connections, seconds },
) {
  const times = [];
  const burst = [];
  const errors = new Map();
  const count = (what, by = 1) => void (by > 0 && errors.set(what, (errors.get(what) ?? 0) + by));
  let connected = 0;
  const started = performance.now();
  const running = autocannon({
    url: endpoint,
    connections,
    duration: seconds + BURST_MS / 1000,
    timeout: TIMEOUT_S,
    headers: { authorization: `Bearer ${token}` },
    requests,
    // All would ask the same at the same time otherwise.
    setupClient: (client) => client.setRequests(from(requests, connected++ / connections)),
  });
  running.on('response', (_client, status, _bytes, ms) => {
    const askedAt = performance.now() - started - ms;
    (askedAt < BURST_MS ? burst : times).push(ms);
    if (!expected.includes(status)) count(`status ${status}`);
  });
  const result = await running;
  count('timeouts', result.timeouts);
  count('connection errors', result.errors - result.timeouts);
  return { times, burst, seconds: result.duration - BURST_MS / 1000, errors };
}

/** The same requests, beginning at another place of the list. */
function from(requests, share) {
  const start = Math.floor(share * requests.length);
  return [...requests.slice(start), ...requests.slice(0, start)];
}
