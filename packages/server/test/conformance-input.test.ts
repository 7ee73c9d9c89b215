import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Host } from '../src/host.js';
import { startFixtureHost } from './support/fixture-host.js';
import { metaOf, WireClient } from './support/wire.js';

/*
 * The server scenarios of 2026-07-28 in which a request needs input of the client: the server answers what it needs, and the client
 * repeats the request with it. The titles begin with the names of the scenarios, without their `input-required-result-`.
 */

const test = suite('requests for input of the protocol of 2026-07-28');

type Json = Readonly<Record<string, unknown>>;
type InputRequests = Readonly<Record<string, { readonly method: string }>>;

let host: Host;
let client: WireClient;

test.before(async () => {
  host = await startFixtureHost();
  client = new WireClient(`${host.url}/mcp`);
});

test.after(() => host.close(0));

const elicited = (content: Json) => ({ action: 'accept', content });
const sampled = {
  role: 'assistant',
  content: { type: 'text', text: 'Paris' },
  model: 'test',
  stopReason: 'endTurn',
};
const roots = { roots: [{ uri: 'file:///test/root', name: 'root' }] };

function callTool(tool: string, retry: Json = {}, meta?: Json): Promise<Json> {
  const name = `test_input_required_result_${tool}`;
  const params = { name, arguments: {}, ...retry };
  return client.ask('tools/call', params, meta === undefined ? {} : { meta });
}

/** Returns the requests for input and the state. Throws for a complete result. */
function needed({ resultType, inputRequests, requestState }: Json) {
  assert.is(resultType, 'input_required');
  return { inputRequests: (inputRequests ?? {}) as InputRequests, requestState };
}

/** Returns the text of a complete result. Throws for another. */
function textOf({ resultType, content, messages }: Json): string {
  assert.is(resultType, 'complete');
  return JSON.stringify(content ?? messages);
}

for (const [scenario, tool, key, method, response, expected] of [
  [
    'basic-elicitation',
    'elicitation',
    'user_name',
    'elicitation/create',
    elicited({ name: 'Alice' }),
    'Alice',
  ],
  ['basic-sampling', 'sampling', 'capital_question', 'sampling/createMessage', sampled, 'Paris'],
  ['basic-list-roots', 'list_roots', 'client_roots', 'roots/list', roots, 'file:///test/root'],
] as const) {
  test(`${scenario}: the tool gets its input`, async () => {
    const { inputRequests } = needed(await callTool(tool));
    assert.is(inputRequests[key]?.method, method);
    assert.match(textOf(await callTool(tool, { inputResponses: { [key]: response } })), expected);
  });
}

test('request-state: the state comes back', async () => {
  const { inputRequests, requestState } = needed(await callTool('request_state'));
  assert.ok(inputRequests['confirm']);
  assert.type(requestState, 'string');
  const inputResponses = { confirm: elicited({ ok: true }) };
  assert.match(
    textOf(await callTool('request_state', { inputResponses, requestState })),
    'state-ok',
  );
});

test('multiple-input-requests: all inputs are asked for at once', async () => {
  const { inputRequests, requestState } = needed(await callTool('multiple_inputs'));
  assert.equal(
    Object.values(inputRequests)
      .map(({ method }) => method)
      .sort(),
    ['elicitation/create', 'roots/list', 'sampling/createMessage'],
  );
  const inputResponses = {
    user_name: elicited({ name: 'Alice' }),
    greeting: sampled,
    client_roots: roots,
  };
  textOf(await callTool('multiple_inputs', { inputResponses, requestState }));
});

test('multi-round: each round has its own state', async () => {
  const first = needed(await callTool('multi_round'));
  const second = needed(
    await callTool('multi_round', {
      inputResponses: { step1: elicited({ name: 'Alice' }) },
      requestState: first.requestState,
    }),
  );
  assert.ok(second.inputRequests['step2']);
  assert.is.not(second.requestState, first.requestState);
  const last = await callTool('multi_round', {
    inputResponses: { step2: elicited({ color: 'blue' }) },
    requestState: second.requestState,
  });
  assert.match(textOf(last), /Alice.*blue/);
});

test('missing-input-response: missing input is asked for again', async () => {
  const inputResponses = { wrong_key: elicited({ data: 'wrong' }) };
  const { inputRequests } = needed(await callTool('elicitation', { inputResponses }));
  assert.ok(inputRequests['user_name']);
});

test('non-tool-request: a prompt gets its input', async () => {
  const prompt = { name: 'test_input_required_result_prompt' };
  const { inputRequests } = needed(await client.ask('prompts/get', prompt));
  assert.is(inputRequests['user_context']?.method, 'elicitation/create');
  const inputResponses = { user_context: elicited({ context: 'the context' }) };
  assert.match(
    textOf(await client.ask('prompts/get', { ...prompt, inputResponses })),
    'the context',
  );
});

test('result-type: each result names its type', async () => {
  assert.is((await callTool('elicitation'))['resultType'], 'input_required');
  assert.is((await client.ask('tools/list'))['resultType'], 'complete');
});

test('unsupported-methods: lists never need input', async () => {
  for (const method of ['tools/list', 'prompts/list'])
    assert.is((await client.ask(method))['resultType'], 'complete', method);
});

test('tampered-state: a changed state is refused', async () => {
  const { requestState } = needed(await callTool('tampered_state'));
  const { reply } = await client.send('tools/call', {
    name: 'test_input_required_result_tampered_state',
    arguments: {},
    inputResponses: { confirm: elicited({ ok: true }) },
    requestState: `${String(requestState)}-changed`,
  });
  assert.is(reply.error?.code, -32_602);
});

test('capability-check: only declared capabilities are used', async () => {
  const meta = metaOf({ clientCapabilities: { sampling: {} } });
  const { inputRequests } = needed(await callTool('capabilities', {}, meta));
  assert.equal(
    Object.values(inputRequests).map(({ method }) => method),
    ['sampling/createMessage'],
  );
});

test('ignore-extra-params: unknown responses are ignored', async () => {
  const inputResponses = {
    user_name: elicited({ name: 'Alice' }),
    unknown: elicited({ other: 'value' }),
  };
  assert.match(textOf(await callTool('elicitation', { inputResponses })), 'Alice');
});

test('validate-input: malformed responses are refused or asked for again', async () => {
  for (const inputResponses of [{ user_name: 12_345 }, null]) {
    const { reply } = await client.send('tools/call', {
      name: 'test_input_required_result_elicitation',
      arguments: {},
      inputResponses,
    });
    const isRefused = reply.error !== undefined;
    assert.ok(
      isRefused || reply.result?.['resultType'] === 'input_required',
      JSON.stringify(reply),
    );
  }
});

test.run();
