import * as fc from 'fast-check';

const host = 'Host: 127.0.0.1\r\n';

/** Complete, correct requests. `TOKEN`, `SMALL` and `LARGE` are filled in before they are sent. */
const good = [
  `GET /healthz HTTP/1.1\r\n${host}\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}TOKEN\r\n`,
  `GET /v1/cat?path=SMALL HTTP/1.1\r\n${host}TOKEN\r\n`,
  `GET /v1/search?q=fox HTTP/1.1\r\n${host}TOKEN\r\n`,
  `GET /v1/export?path=LARGE HTTP/1.1\r\n${host}TOKEN\r\n`,
  `HEAD /v1/export?path=LARGE HTTP/1.1\r\n${host}TOKEN\r\n`,
  `GET /v1/grep?pattern=line HTTP/1.1\r\n${host}TOKEN\r\n`,
  post('{"target":"nosuch://x"}', ''),
  post('{"target":"nosuch://x"}', 'Expect: 100-continue\r\n'),
];

/** Invalid or ambiguous requests. */
const bad = [
  'hello\r\n\r\n',
  '\r\n\r\n\r\n',
  '\0\0\0\0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `GET / HTTP/9.9\r\n${host}\r\n`,
  `GET /healthz HTTP/1.0\r\n\r\n`,
  `GET  /healthz HTTP/1.1\r\n${host}\r\n`,
  `GET /healthz\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\n${host}${host}\r\n`,
  `GET /healthz HTTP/1.1\nHost: a\n\n`,
  `GET http://[ HTTP/1.1\r\n${host}\r\n`,
  `GET * HTTP/1.1\r\n${host}\r\n`,
  `GET //evil.example/%2e%2e HTTP/1.1\r\n${host}TOKEN\r\n`,
  `GET /v1/jobs/%c0%af HTTP/1.1\r\n${host}TOKEN\r\n`,
  `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
  `TRACE /v1/status HTTP/1.1\r\n${host}TOKEN\r\n`,
  `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`,
  `CONNECT / HTTP/1.1\r\n${host}TOKEN\r\n`,
  `NOSUCH /v1/status HTTP/1.1\r\n${host}TOKEN\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}TOKENConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}TOKENContent-Length: 5\r\n\r\nhello`,
  `GET /v1/status HTTP/1.1\r\n${host}TOKENExpect: 200-maybe\r\n\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}X : y\r\n\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}Authorization: Bearer \xff\xfe\r\n\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(300_000)}\r\n\r\n`,
  `GET /v1/status HTTP/1.1\r\n${host}${'X: y\r\n'.repeat(30_000)}\r\n`,
  `GET /${'a'.repeat(200_000)} HTTP/1.1\r\n${host}\r\n`,
  chunked('zz\r\n{}\r\n0\r\n\r\n'),
  chunked('-1\r\n{}\r\n0\r\n\r\n'),
  chunked('ffffffffffffffff\r\n{}\r\n'),
  chunked(`2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  chunked(`${'1\r\n \r\n'.repeat(5000)}0\r\n\r\n`),
  chunked(`2\r\n{}\r\n0\r\nTrailer: ${'t'.repeat(20_000)}\r\n\r\n`),
  chunked('2\r\n{}\r\n'),
  post('{}', 'Transfer-Encoding: chunked\r\n'),
  post('{}', 'Content-Length: 3\r\n'),
  `POST /v1/add HTTP/1.1\r\n${host}TOKENContent-Type: application/json\r\nContent-Length: -1\r\n\r\n`,
  `POST /v1/add HTTP/1.1\r\n${host}TOKENContent-Type: application/json\r\nContent-Length: 99999999999999999999\r\n\r\n{}`,
  `POST /v1/add HTTP/1.1\r\n${host}TOKENContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"target":`,
];

/** Partial requests, as left by a lost connection or a stalled client. */
const cut = fc
  .tuple(fc.constantFrom(...good, ...bad), fc.nat(400))
  .map(([text, length]) => text.slice(0, length));

const step = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...good).map((send) => ({ send })) },
  { weight: 3, arbitrary: fc.constantFrom(...bad).map((send) => ({ send })) },
  { weight: 1, arbitrary: cut.map((send) => ({ send })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((wait) => ({ wait })) },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 400 }).map((sleep) => ({ sleep })) },
);

/**
 * A conversation over one connection: sent texts, pauses (`wait`), times without reading (`sleep`), and its ending.
 * `read` reads all responses, `half` closes its own side first, and `abort` resets the connection.
 */
export const conversations = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  ending: fc.constantFrom('read', 'read', 'half', 'abort'),
});

function post(body, headers) {
  return (
    `POST /v1/connectors/probe HTTP/1.1\r\n${host}TOKENContent-Type: application/json\r\n` +
    `${headers}Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

function chunked(chunks) {
  return (
    `POST /v1/connectors/probe HTTP/1.1\r\n${host}TOKENContent-Type: application/json\r\n` +
    `Transfer-Encoding: chunked\r\n\r\n${chunks}`
  );
}
