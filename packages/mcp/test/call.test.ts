import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { callTool } from '../src/call.js';
import { defineTool, type ToolContext } from '../src/tool.js';

const test = suite('a call of a tool');
const never = new AbortController().signal;

function toolThat(run: (context: ToolContext) => Promise<string>) {
  return defineTool({
    name: 'wait',
    title: 'Wait',
    description: 'Waits.',
    isReadOnly: true,
    input: { type: 'object', properties: {}, additionalProperties: false },
    output: { type: 'object' },
    aliases: {},
    call: async (_args, context) => ({ text: await run(context), data: {} }),
  });
}

/** The tools of these tests use no engine. */
function limits(signal: AbortSignal, timeoutMs: number) {
  return { engine: {} as ToolContext['engine'], signal, timeoutMs };
}

// The timer of a time limit does not keep a process running.
const alive = setInterval(() => undefined, 60_000);
test.after(() => clearInterval(alive));

test('a call that takes too long ends with advice, although the tool ignores its signal', async () => {
  let signal: AbortSignal | undefined;
  const tool = toolThat((context) => {
    signal = context.signal;
    return new Promise(() => undefined);
  });
  const { isError, content } = await callTool(tool, {}, limits(never, 20));
  assert.ok(isError);
  assert.match(content[0]?.text ?? '', /^timed_out: wait took longer than 0.02 s\nNarrow/);
  assert.ok(signal?.aborted);
});

test('an error of Trove is a result with its code and its suggestions', async () => {
  const tool = toolThat(async () => {
    throw new TroveError('not_found', 'no such source', { suggestions: ['Call `list`.'] });
  });
  const { isError, content } = await callTool(tool, {}, limits(never, 1000));
  assert.ok(isError);
  assert.is(content[0]?.text, 'not_found: no such source\nCall `list`.');
});

test('any other error is no result', async () => {
  const tool = toolThat(async () => {
    throw new RangeError('a bug');
  });
  await callTool(tool, {}, limits(never, 1000)).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, RangeError),
  );
});

test('a call of a client that has left ends at once', async () => {
  const client = new AbortController();
  const reason = new Error('left');
  const tool = toolThat(() => new Promise(() => undefined));
  const called = callTool(tool, {}, limits(client.signal, 60_000));
  client.abort(reason);
  await called.then(
    () => assert.unreachable(),
    (error: unknown) => assert.is(error, reason),
  );
  await callTool(tool, {}, limits(client.signal, 60_000)).then(
    () => assert.unreachable(),
    (error: unknown) => assert.is(error, reason),
  );
});

test.run();
