import { Violation } from '../findings.mjs';
import { makeSender } from './send.mjs';

const pollMs = 100;
const done = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/** The plain calls of a run beside the generated ones. Throws for any error status. */
export function makeApi({ endpoint, token }) {
  const sender = makeSender({ endpoint });
  const call = async (method, path, query = {}, body) => {
    const text = new URLSearchParams(query).toString();
    const target = text === '' ? path : `${path}?${text}`;
    const request = {
      method,
      target,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const answer = await sender.send(request).catch((error) => {
      throw new Violation(
        `no answer ${method} ${path}`,
        `${method} ${target}: ${error.code ?? error.message}`,
      );
    });
    if (answer.status >= 300) throw refused(method, target, answer);
    return JSON.parse(answer.text);
  };
  const job = (id) => call('GET', `/v1/jobs/${id}`);
  return {
    get: (path, query) => call('GET', path, query),
    post: (path, body) => call('POST', path, {}, body),
    remove: (target) => call('DELETE', '/v1/connectors', { target }),
    cancel: (id) => call('POST', `/v1/jobs/${id}/cancel`),
    job,
    /** Returns the ended job, or null after the time limit. */
    async ended(id, limitMs) {
      const deadline = performance.now() + limitMs;
      for (;;) {
        const state = await job(id);
        if (done.has(state.status)) return state;
        if (performance.now() > deadline) return null;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    close: () => sender.close(),
  };
}

function refused(method, target, answer) {
  let code;
  try {
    ({ code } = JSON.parse(answer.text));
  } catch {
    // The body is not JSON. The message contains its text.
  }
  const said = `${method} ${target}: ${answer.status} ${answer.text.slice(0, 500)}`;
  return new Violation(`refused ${method} ${new URL(target, 'http://x').pathname} ${code}`, said);
}
