import * as fc from 'fast-check';

import { Violation } from '../findings.mjs';
import { leakIn } from '../oracle/forbidden.mjs';
import { conversations } from './conversations.mjs';
import { readResponses } from './responses.mjs';
import { talk } from './talk.mjs';

const lanes = 8;
const runCount = 20;
const shortRuns = 3;
const shrinkingMs = 20_000;

/** Malformed or unusual HTTP over bare connections. See `campaign.mjs` for parts. */
export async function socketsPart({ server, world, findings, short }) {
  const { endpoint, token } = server;
  const files = { SMALL: 'README.md', LARGE: 'large.log' };
  const fill = (text) =>
    Object.entries(files).reduce(
      (filled, [name, file]) =>
        filled.replaceAll(name, encodeURIComponent(`${world.steady}/${file}`)),
      text.replaceAll('TOKEN', `Authorization: Bearer ${token}\r\n`),
    );
  const property = fc.asyncProperty(conversations, async (conversation) => {
    const { bytes } = await talk({ endpoint, fill }, conversation);
    const violation = violationIn(conversation, bytes, world.canaries);
    if (violation === null || findings.knows(violation.key)) return;
    throw violation;
  });

  async function lane(seed, runs, path) {
    const result = await fc.check(property, {
      seed,
      numRuns: runs,
      ...(path === undefined ? {} : { path }),
      interruptAfterTimeLimit: shrinkingMs,
      markInterruptAsFailure: false,
    });
    if (!result.failed) return;
    const { errorInstance: error, counterexamplePath } = result;
    if (!(error instanceof Violation)) throw error;
    findings.add(
      error,
      `npm run fuzz -- --only sockets --seed ${seed} --path ${counterexamplePath}`,
    );
  }

  return {
    async step(seed) {
      const seeds = Array.from({ length: lanes }, (_, at) => (seed * lanes + at) % 2 ** 30);
      await Promise.all(seeds.map((each) => lane(each, short ? shortRuns : runCount)));
    },
    again: (seed, path) => lane(seed, 1, path),
  };
}

function violationIn(conversation, bytes, canaries) {
  const said = conversation.steps.map(({ send = '' }) => send).join('');
  const { responses, problem } = readResponses(bytes, said.includes('HEAD '));
  const facts = { conversation, answer: bytes.toString('latin1').slice(0, 4000) };
  const wrong = (key, message) => new Violation(`socket ${key}`, message, facts);
  const leak = leakIn(bytes.toString(), canaries);
  if (leak !== null) return wrong('leak', `the answer holds ${leak}`);
  if (problem !== null) return wrong('garbled', `what came back is no HTTP: ${problem}`);
  for (const { status, headers, body } of responses) {
    if (status >= 500 && status !== 501 && status !== 503) return wrong('500', `status ${status}`);
    if (headers['x-request-id'] === undefined) return wrong('id', `${status} without X-Request-Id`);
    if (status >= 400 && body !== undefined && body !== '' && !isEnvelope(body)) {
      return wrong('envelope', `${status} is no envelope`);
    }
  }
  return null;
}

function isEnvelope(text) {
  try {
    const { code, detail, suggestions } = JSON.parse(text);
    return typeof code === 'string' && typeof detail === 'string' && Array.isArray(suggestions);
  } catch {
    return false;
  }
}
