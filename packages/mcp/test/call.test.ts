import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { callTool } from '../src/call.js';
import { ToolError } from '../src/tool-error.js';
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

async function failWith(error: unknown): Promise<string> {
  const tool = toolThat(async () => {
    throw error;
  });
  const { isError, content } = await callTool(tool, {}, limits(never, 1000));
  assert.ok(isError);
  return content[0]?.text ?? '';
}

test('an error of a tool is a result with its code and its suggestions', async () => {
  const error = new ToolError('not_found', 'no such source', ['Call `list`.']);
  assert.is(await failWith(error), 'not_found: no such source\nCall `list`.');
});

test('an error of the engine gets remedies in terms of the tools', async () => {
  const missing = new TroveError('not_found', 'no such source', {
    suggestions: ['Add it: trove add PATH'],
  });
  assert.match(await failWith(missing), /^not_found: no such source\n`list` shows/);
  const folder = new TroveError('is_directory', 'a folder');
  assert.not.match(await failWith(folder), '`ls`');
});

test('an error in the arguments keeps only its own suggestions', async () => {
  const general = new TroveError('validation_error', 'limit: must be >= 1');
  assert.is(await failWith(general), 'validation_error: limit: must be >= 1');
  const suggestions = ['Did you mean "ts"?'];
  const own = new TroveError('validation_error', 'type: "tss"', { suggestions });
  assert.is(await failWith(own), 'validation_error: type: "tss"\nDid you mean "ts"?');
});

test('a remedy outside the tools is for the user', async () => {
  const suggestions = ['Upload them again: `trove add --upload`.'];
  const gone = new TroveError('connector_unhealthy', 'gone', { suggestions });
  const text = 'connector_unhealthy: gone\nFor the user: Upload them again: `trove add --upload`.';
  assert.is(await failWith(gone), text);
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
