import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chatServer,
  expectSettled,
  openChatStream,
  sendChat,
  type ChatServer,
  type ChatStream,
} from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createTrove,
  TroveError,
  type AskEvent,
  type AskResponse,
  type Trove,
} from '../src/index.js';

/* Answers that a server streams with OpenAI's protocol. Every test asks another question, because answers are cached. */

interface Context {
  root: string;
  server: ChatServer;
  trove: Trove;
}

const test = suite<Context>('streamed answers');

const notes = `# Tokens

Access tokens expire after 90 days.
The security team revokes lost tokens within an hour.
`;
const quotes = [
  'Access tokens expire after 90 days',
  'revokes lost tokens within an hour',
] as const;

test.before(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-ask-stream-'));
  await mkdir(join(context.root, 'docs'));
  await writeFile(join(context.root, 'docs', 'tokens.md'), notes);
  context.server = await chatServer();
  const llm = {
    provider: 'openai',
    model: 'test-model',
    base_url: context.server.baseUrl,
    timeout_s: 1,
  };
  context.trove = await createTrove({ home: join(context.root, 'home'), settings: { llm } });
  await context.trove.add({ target: join(context.root, 'docs'), process: true });
});
test.before.each(({ server }) => {
  server.requests.length = 0;
  server.answers.length = 0;
});
test.after(async ({ trove, server, root }) => {
  await trove.close();
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

/** Returns a statement of an answer in JSON. */
function statement(text: string, quote: string): string {
  return JSON.stringify({ text, citations: [{ passage: 1, quote }] });
}

const opening = '{"found": true, "statements": [';

/** Answers the next request with a stream. */
function stream(server: ChatServer, write: (stream: ChatStream) => Promise<void>): void {
  server.answers.push((response) => write(openChatStream(response)));
}

async function ask(
  trove: Trove,
  question: string,
): Promise<{ readonly events: AskEvent[]; readonly answer: AskResponse }> {
  const events: AskEvent[] = [];
  const answer = await trove.ask({ question }, { onEvent: (event) => void events.push(event) });
  return { events, answer };
}

const namesOf = (events: readonly AskEvent[]): string[] => events.map(({ event }) => event);
const textsOf = (events: readonly AskEvent[]): string[] =>
  events.flatMap((each) => (each.event === 'text' ? [each.data.text] : []));

test('each statement arrives before the next one is written', async ({ server, trove }) => {
  let release = (): void => {};
  const taken = new Promise<void>((resolve) => (release = resolve));
  const [first, second] = quotes;
  stream(server, async (answer) => {
    for (const piece of `${opening}${statement('They expire [7].', first)}`)
      await answer.text(piece);
    await taken;
    await answer.text(`, ${statement('Lost ones are revoked.', second)}`);
    await answer.text(']}');
    answer.end();
  });
  const events: AskEvent[] = [];
  const call = trove.ask(
    { question: 'When do access tokens expire?' },
    {
      onEvent: (event) => {
        events.push(event);
        if (event.event === 'text') release();
      },
    },
  );
  await expectSettled(call, 5000, 'the answer');
  const answer = await call;
  assert.equal(namesOf(events), ['passages', 'text', 'text']);
  assert.equal(textsOf(events), ['They expire. [1]', ' Lost ones are revoked. [2]']);
  assert.is(textsOf(events).join(''), answer.answer);
  assert.equal(events[0]?.data, { passages: answer.passages });
  assert.equal(
    answer.citations.map(({ locator }) => locator),
    [{ lines: [3, 3] }, { lines: [4, 4] }],
  );
  assert.equal(server.requests[0]?.body['stream'], true);
});

test('text without a verified citation is never sent', async ({ server, trove }) => {
  const [first] = quotes;
  stream(server, async (answer) => {
    await answer.text(`${opening}${statement('An invention.', 'Tokens never expire at all')}, `);
    await answer.text(
      `${statement('They expire.', first)}, ${statement('A guess.', 'no such words')}`,
    );
    await answer.text(']}');
    answer.end();
  });
  const { events, answer } = await ask(trove, 'When do the access tokens expire?');
  assert.equal(textsOf(events), ['They expire. [1]']);
  assert.is(answer.answer, 'They expire. [1]');
  assert.match(answer.notice ?? '', 'leaves out 2 statements');
});

test('nothing is sent of an answer that may not be found', async ({ server, trove }) => {
  const [first] = quotes;
  stream(server, async (answer) => {
    await answer.text(`{"statements": [${statement('A guess.', first)}`);
    await answer.text('], "found": false}');
    answer.end();
  });
  const { events, answer } = await ask(trove, 'Do access tokens expire at sea?');
  assert.equal(namesOf(events), ['passages']);
  assert.is(answer.found, false);
});

test('a stream that breaks off restarts with the next attempt', async ({ server, trove }) => {
  const [first, second] = quotes;
  server.answers.push(async (response) => {
    await openChatStream(response).text(`${opening}${statement('They expire.', first)}`);
    setTimeout(() => response.destroy(), 20);
  });
  stream(server, async (answer) => {
    await answer.text(`${opening}${statement('Lost ones are revoked.', second)}]}`);
    answer.end();
  });
  const { events, answer } = await ask(trove, 'When are access tokens revoked?');
  assert.equal(namesOf(events), ['passages', 'text', 'restart', 'text']);
  assert.equal(textsOf(events).at(-1), answer.answer);
  assert.is(answer.answer, 'Lost ones are revoked. [1]');
});

test('an answer of the wrong form restarts with its correction', async ({ server, trove }) => {
  const [first] = quotes;
  stream(server, async (answer) => {
    await answer.text(`${opening}${statement('They expire.', first)}, {"text": 7}]}`);
    answer.end();
  });
  stream(server, async (answer) => {
    await answer.text(`${opening}${statement('After 90 days.', first)}]}`);
    answer.end();
  });
  const { events, answer } = await ask(trove, 'Access tokens expire when?');
  assert.is(answer.answer, 'After 90 days. [1]');
  assert.is(textsOf(events).at(-1), answer.answer);
});

test('a stalled stream ends at its time limit, and the answer quotes', async ({
  server,
  trove,
}) => {
  const [first] = quotes;
  let closed = Promise.resolve();
  server.answers.push(async (response) => {
    closed = once(response, 'close').then(() => undefined);
    await openChatStream(response).text(`${opening}${statement('They expire.', first)}`);
  });
  const { events, answer } = await ask(trove, 'Do access tokens expire after 90 days?');
  assert.equal(textsOf(events), ['They expire. [1]']);
  assert.is(answer.model, 'rules');
  assert.match(answer.notice ?? '', 'did not answer within 1 s');
  await expectSettled(closed, 2000, 'the request of the stalled answer');
});

test('an error event leads to another attempt', async ({ server, trove }) => {
  stream(server, async (answer) => answer.error('The engine overheated'));
  const [first] = quotes;
  server.answers.push((response) =>
    sendChat(response, { content: `${opening}${statement('They do.', first)}]}` }),
  );
  const { answer } = await ask(trove, 'Do access tokens ever expire?');
  assert.is(answer.answer, 'They do. [1]');
});

test('a cached answer comes without text events', async ({ server, trove }) => {
  const [first] = quotes;
  stream(server, async (answer) => {
    await answer.text(`${opening}${statement('They expire.', first)}]}`);
    answer.end();
  });
  const question = 'After what do access tokens expire?';
  const { answer } = await ask(trove, question);
  const again = await ask(trove, question);
  assert.equal(namesOf(again.events), ['passages']);
  assert.equal(again.answer, answer);
  assert.is(server.requests.length, 1);
});

test('the model waits for the receiver, whose error ends the call', async ({ server, trove }) => {
  const [first, second] = quotes;
  let closed = Promise.resolve();
  server.answers.push(async (response) => {
    closed = once(response, 'close').then(() => undefined);
    const answer = openChatStream(response);
    await answer.text(`${opening}${statement('They expire.', first)}`);
    await answer.text(`, ${statement('Lost ones are revoked.', second)}`);
  });
  const problem = new TroveError('not_available', 'The receiver is full.');
  let count = 0;
  const error = await trove
    .ask(
      { question: 'When do all access tokens expire?' },
      {
        onEvent: ({ event }) => {
          if (event !== 'text') return;
          count++;
          throw problem;
        },
      },
    )
    .catch((thrown: unknown) => thrown);
  assert.is(error, problem);
  assert.is(count, 1);
  await expectSettled(closed, 2000, 'the request of the ended answer');
});

test('an abort stops the request of the model', async ({ server, trove }) => {
  const [first] = quotes;
  let closed = Promise.resolve();
  server.answers.push(async (response) => {
    closed = once(response, 'close').then(() => undefined);
    await openChatStream(response).text(`${opening}${statement('They expire.', first)}`);
  });
  const controller = new AbortController();
  const reason = new Error('enough');
  const error = await trove
    .ask(
      { question: 'When do some access tokens expire?' },
      {
        signal: controller.signal,
        onEvent: ({ event }) => {
          if (event === 'text') setImmediate(() => controller.abort(reason));
        },
      },
    )
    .catch((thrown: unknown) => thrown);
  assert.is(error, reason);
  await expectSettled(closed, 900, 'the request of the aborted answer');
});

test.run();
