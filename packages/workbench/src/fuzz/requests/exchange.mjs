import { Violation } from '../findings.mjs';
import { checkAnswer } from '../oracle/answers.mjs';
import { laws } from '../oracle/laws.mjs';
import { makeAsk } from './ask.mjs';
import { materialise } from './draft.mjs';

/** Operations with a stable response while nothing is added, synced or removed. */
const lastingOperations = new Set([
  'getServerInfo',
  'getOpenApi',
  'search',
  'ask',
  'ls',
  'cat',
  'head',
  'tail',
  'export',
  'grep',
]);

/**
 * Sends drafts and checks the responses against the contract and the laws. `tally` counts every request. `quiet` means
 * that nothing changes the sources.
 */
export function makeExchange({ contract, corpus, token, canaries, sender, tally }) {
  const ask = makeAsk({ sender, token, canaries });
  return async (draft, { quiet }) => {
    const request = materialise(draft, corpus, token);
    let answer;
    try {
      answer = await checkAnswered(sender, request, draft);
      tally(draft, answer);
      const body = checkAnswer(contract, draft, answer, canaries);
      if (answer.status >= 300 || body === undefined) return;
      const lasting =
        quiet && lastingOperations.has(draft.operation.id) && draft.intent === 'valid';
      if (lasting) await checkRepeated(sender, request, draft, answer);
      const law = laws[draft.operation.id];
      const query = Object.fromEntries(draft.query);
      await law?.({ body, query, ask, gone: (uri) => !quiet && /\/scratch-/.test(uri) });
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      error.facts = {
        request: shown(request, token),
        answer: answer && shownAnswer(answer),
        ...error.facts,
      };
      throw error;
    }
  };
}

async function checkAnswered(sender, request, { operation, label }) {
  try {
    return await sender.send(request);
  } catch (error) {
    // A server that rejects the head of a request may close before it has received everything.
    if (Buffer.byteLength(JSON.stringify(request.headers)) > 100_000) return tooLong;
    const { code, name, message } = error;
    throw new Violation(
      `no answer ${operation.id} ${label}`,
      `${operation.id} (${label}): no answer: ${code ?? name} ${message}`,
    );
  }
}

const tooLong = {
  status: 431,
  headers: { 'x-request-id': '-', 'content-type': 'application/json' },
  text: '{"code":"payload_too_large","detail":"the connection was closed","suggestions":["-"]}',
  complete: true,
  ms: 0,
};

async function checkRepeated(sender, request, { operation, label }, first) {
  const second = await sender.send(request);
  if (second.status === first.status && second.text === first.text) return;
  // An abandoned upload may still end in a quiet round, and a response that collides with it says so.
  if ([first, second].some(({ text }) => text.includes('in this very moment'))) return;
  throw new Violation(
    `law twice ${operation.id}`,
    `${operation.id} (${label}): equal requests got different responses`,
    { second: shownAnswer(second) },
  );
}

function shown({ method, target, headers, body }, token) {
  const hidden = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(token, 'TOKEN').slice(0, 500),
    ]),
  );
  return { method, target, headers: hidden, body: body?.toString().slice(0, 5000) };
}

function shownAnswer({ status, headers, text, ms }) {
  return { status, headers, ms: Math.round(ms), text: text.slice(0, 5000) };
}
