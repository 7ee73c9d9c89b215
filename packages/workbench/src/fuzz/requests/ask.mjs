import { Violation } from '../findings.mjs';
import { leakIn } from '../oracle/forbidden.mjs';

/**
 * Sends plain requests: `ask(path, query)` and `ask.post(path, body)` resolve with `{ status, body }`. No response may
 * reveal anything outside the sources or fail without a proper reason.
 */
export function makeAsk({ sender, token, canaries }) {
  const authorization = `Bearer ${token}`;
  const checked = async (request) => {
    const answer = await sender.send(request);
    const leak = leakIn(answer.text, canaries);
    if (leak !== null) throw new Violation('leak', `${request.target} answers ${leak}`);
    const body = answer.complete ? JSON.parse(answer.text) : undefined;
    if (body?.code === 'internal_error' || body?.code === 'storage_unavailable') {
      const { method, target } = request;
      throw new Violation(
        `unprovoked ${new URL(target, 'http://x').pathname}`,
        `${method} ${target}: ${body.detail}`,
      );
    }
    return { status: answer.status, body };
  };
  const ask = (path, query, method = 'GET') =>
    checked({
      method,
      target: `${path}?${new URLSearchParams(query)}`,
      headers: { authorization },
    });
  ask.post = (path, body) =>
    checked({
      method: 'POST',
      target: path,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return ask;
}
