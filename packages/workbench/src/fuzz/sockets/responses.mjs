const headEnd = '\r\n\r\n';

/**
 * Parses the responses of one connection: `{ responses, problem }`. `problem` says where the bytes are not HTTP. A
 * truncated last response is allowed. `mayLackBodies`: some of the requests were HEAD.
 */
export function readResponses(bytes, mayLackBodies) {
  const text = bytes.toString('latin1');
  const responses = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf(headEnd, at);
    if (end < 0) return { responses, problem: startsWrong(text.slice(at)) };
    const head = text.slice(at, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) [^\r\n]*/.exec(head)?.[1]);
    if (Number.isNaN(status)) return { responses, problem: `no status line: ${head.slice(0, 80)}` };
    const headers = headersOf(head);
    at = end + headEnd.length;
    if (status < 200) continue;
    const over = at === text.length || text.startsWith('HTTP/1.1 ', at);
    const bodyless = status === 204 || status === 304 || (mayLackBodies && over);
    const body = bodyless ? { end: at, text: '' } : bodyAt(text, at, headers);
    responses.push({ status, headers, body: body?.text });
    if (body === null) return { responses, problem: null };
    if (body.problem !== undefined) return { responses, problem: body.problem };
    at = body.end;
  }
  return { responses, problem: null };
}

function startsWrong(rest) {
  const wanted = 'HTTP/1.1 ';
  const same = wanted.startsWith(rest.slice(0, wanted.length)) || rest.startsWith(wanted);
  return same ? null : `no status line: ${rest.slice(0, 80)}`;
}

function headersOf(head) {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Returns null for a truncated body. */
function bodyAt(text, at, headers) {
  if (headers['transfer-encoding'] === 'chunked') return chunksAt(text, at);
  const length = Number(headers['content-length']);
  if (Number.isNaN(length)) return { end: text.length, text: text.slice(at) };
  if (at + length > text.length) return null;
  return { end: at + length, text: text.slice(at, at + length) };
}

function chunksAt(text, start) {
  let at = start;
  let body = '';
  for (;;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return null;
    const line = text.slice(at, end);
    if (!/^[0-9a-f]+$/i.test(line)) return { problem: `no chunk: ${line.slice(0, 80)}` };
    const size = Number.parseInt(line, 16);
    const next = end + 2 + size + 2;
    if (next > text.length) return null;
    body += text.slice(end + 2, end + 2 + size);
    at = next;
    if (size === 0) return { end: at, text: body };
  }
}
