import autocannon from 'autocannon';

/** Longer than any limit of the server's own on what is asked here. */
const timeoutS = 60;
/**
 * Sends the requests of one try over and over, on so many connections at once, which all begin at the same moment. Resolves
 * with the milliseconds that each answer took, and everything that went wrong: `{ times, seconds, errors: Map(what → how often) }`.
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
    // All would ask the same at the same time otherwise. Given as an option, each connection would copy and build all requests
    // before any is sent: more than a second of what the first answers seem to take.
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

/** The same requests, beginning at another place of the list. */
function from(requests, share) {
  const start = Math.floor(share * requests.length);
  return [...requests.slice(start), ...requests.slice(0, start)];
}
