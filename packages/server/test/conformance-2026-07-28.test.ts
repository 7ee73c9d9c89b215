import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startHost, type Host } from '../src/host.js';
import { emptyEngine, startFixtureHost } from './support/fixture-host.js';
import { messagesOf, metaOf, modernVersion, WireClient } from './support/wire.js';

/*
 * The server scenarios that the protocol's authors require for 2026-07-28, except for requests for input. The titles begin with
 * the names of the scenarios. Requirements for all servers are also tested with Trove's own tools.
 */

const test = suite('conformance to the protocol of 2026-07-28');

let fixtures: Host;
let plain: Host;
let client: WireClient;

test.before(async () => {
  fixtures = await startFixtureHost();
  plain = await startHost({
    engine: emptyEngine(),
    bind: { host: '127.0.0.1', port: 0 },
    auth: { mode: 'open' },
  });
  client = new WireClient(`${fixtures.url}/mcp`);
});

test.after(async () => {
  await Promise.all([fixtures.close(0), plain.close(0)]);
});

/** Tests a requirement with the fixtures, and with Trove's own tools. */
function testBoth(title: string, run: (client: WireClient, host: Host) => Promise<void>): void {
  test(title, () => run(client, fixtures));
  test(`${title} (Trove's own tools)`, () => run(new WireClient(`${plain.url}/mcp`), plain));
}

testBoth('server-stateless: incomplete metadata is refused', async (wire) => {
  for (const meta of [
    null,
    metaOf({ protocolVersion: undefined }),
    metaOf({ clientCapabilities: undefined }),
  ]) {
    const { status, reply } = await wire.send('server/discover', {}, { meta });
    assert.is(status, 400, JSON.stringify(meta));
    assert.is(reply.error?.code, -32_602, JSON.stringify(meta));
  }
  await wire.ask('server/discover', {}, { meta: metaOf({ clientInfo: undefined }) });
});

testBoth('server-stateless: the server describes itself', async (wire) => {
  const { supportedVersions, capabilities, _meta: meta } = await wire.ask('server/discover');
  assert.ok(Array.isArray(supportedVersions) && supportedVersions.includes(modernVersion));
  const info = JSON.stringify(Object(meta)['io.modelcontextprotocol/serverInfo']);
  assert.match(info, /"name":"trove".*"version":"/);
  for (const [feature, method] of [
    ['tools', 'tools/list'],
    ['resources', 'resources/list'],
    ['prompts', 'prompts/list'],
    ['completions', 'completion/complete'],
  ] as const) {
    const isOffered = feature in Object(capabilities);
    const { reply } = await wire.send(method, {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'par' },
    });
    assert.is(reply.error?.code, isOffered ? undefined : -32_601, method);
  }
});

testBoth('server-stateless: another version is refused', async (wire) => {
  const { supportedVersions } = await wire.ask('server/discover');
  const { status, reply } = await wire.send(
    'server/discover',
    {},
    {
      meta: metaOf({ protocolVersion: '1999-01-01' }),
      headers: { 'mcp-protocol-version': '1999-01-01' },
    },
  );
  assert.is(status, 400);
  assert.is(reply.error?.data?.['requested'], '1999-01-01');
  const supported = reply.error?.data?.['supported'];
  assert.ok(Array.isArray(supported) && supported.length > 0);
  assert.ok(supported.every((version) => Array(supportedVersions).flat().includes(version)));
});

testBoth('server-stateless: headers that contradict the body are refused', async (wire) => {
  for (const headers of [
    { 'mcp-protocol-version': '1999-01-01' },
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': 'grep' },
  ]) {
    const call = { name: 'status', arguments: {} };
    const { status, reply } = await wire.send('tools/call', call, { headers });
    assert.is(status, 400, JSON.stringify(headers));
    assert.is(reply.error?.code, -32_020, JSON.stringify(headers));
  }
});

testBoth('server-stateless: removed and unknown methods are not found', async (wire) => {
  for (const method of [
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'unknown/method',
  ]) {
    const { status, reply } = await wire.send(method);
    assert.is(status, 404, method);
    assert.is(reply.error?.code, -32_601, method);
  }
});

testBoth('server-stateless: a subscription is acknowledged first', async (wire) => {
  const ended = new AbortController();
  const params = { notifications: { toolsListChanged: true } };
  const { signal } = ended;
  const response = await wire.open(7, 'subscriptions/listen', params, { signal });
  const { value } = (await response.body?.getReader().read()) ?? {};
  ended.abort();
  const [first] = messagesOf(response, new TextDecoder().decode(value));
  assert.is(first?.method, 'notifications/subscriptions/acknowledged');
  assert.match(JSON.stringify(first?.params), 'io.modelcontextprotocol/subscriptionId');
});

test('server-stateless: a missing capability is named', async () => {
  const call = { name: 'test_missing_capability', arguments: {} };
  const { status, reply } = await client.send('tools/call', call, {
    meta: metaOf({ clientCapabilities: {} }),
  });
  assert.is(status, 400);
  assert.is(reply.error?.code, -32_021);
  assert.equal(reply.error?.data?.['requiredCapabilities'], { sampling: {} });
  await client.ask('tools/call', call);
});

test('server-stateless: a response has no requests of the server', async () => {
  const call = { name: 'test_streaming_elicitation', arguments: {} };
  const { messages, reply } = await client.send('tools/call', call);
  assert.is(reply.result?.['resultType'], 'input_required');
  assert.equal(
    messages.filter(({ method, id }) => method !== undefined && id !== undefined),
    [],
  );
});

test('server-stateless: logs are sent only at the level of the request', async () => {
  const call = { name: 'test_logging_tool', arguments: {} };
  const isLog = ({ method }: { method?: string }) => method === 'notifications/message';
  const quiet = await client.send('tools/call', call);
  assert.is(quiet.messages.filter(isLog).length, 0);
  const loud = await client.send('tools/call', call, { meta: metaOf({ logLevel: 'info' }) });
  assert.is(loud.messages.filter(isLog).length, 3);
});

testBoth('tools-list: each tool has a name, a description and a schema', async (wire) => {
  const { tools, resultType } = await wire.ask('tools/list');
  assert.is(resultType, 'complete');
  assert.ok(Array.isArray(tools) && tools.length > 0);
  for (const tool of tools) {
    assert.match(tool.name, /^[A-Za-z0-9_./-]{1,64}$/);
    assert.ok(tool.description, tool.name);
    assert.is(tool.inputSchema.type, 'object', tool.name);
  }
  const names = tools.map(({ name }) => name);
  assert.is(new Set(names).size, names.length);
});

for (const [scenario, tool, types] of [
  ['tools-call-simple-text', 'test_simple_text', ['text']],
  ['tools-call-image', 'test_image_content', ['image']],
  ['tools-call-audio', 'test_audio_content', ['audio']],
  ['tools-call-embedded-resource', 'test_embedded_resource', ['resource']],
  ['tools-call-mixed-content', 'test_multiple_content_types', ['text', 'image', 'resource']],
] as const) {
  test(`${scenario}: the content arrives`, async () => {
    // The protocol permits calls without arguments.
    const { content, isError, resultType } = await client.ask('tools/call', { name: tool });
    assert.is(resultType, 'complete');
    assert.not(isError);
    assert.ok(Array.isArray(content));
    assert.equal(
      content.map(({ type }) => type),
      types,
    );
    for (const { type, text, data, mimeType, resource } of content) {
      if (type === 'text') assert.ok(text);
      else if (type === 'resource') assert.ok(resource.uri && resource.mimeType && resource.text);
      else assert.ok(data && mimeType);
    }
  });
}

test('tools-call-error: the error is a result for the model', async () => {
  const result = await client.ask('tools/call', { name: 'test_error_handling', arguments: {} });
  assert.is(result['isError'], true);
  assert.match(JSON.stringify(result['content']), 'intentionally returns an error');
});

test('tools-call-with-progress: progress arrives before the result', async () => {
  const call = {
    name: 'test_tool_with_progress',
    arguments: {},
    _meta: { progressToken: 'token-1' },
  };
  const { messages } = await client.send('tools/call', call);
  assert.equal(
    messages.slice(0, -1).map(({ method, params }) => [method, params?.['progress']]),
    [0, 50, 100].map((progress) => ['notifications/progress', progress]),
  );
  for (const { params } of messages.slice(0, -1)) assert.is(params?.['progressToken'], 'token-1');
  assert.ok(messages.at(-1)?.result);
});

for (const modern of [false, true])
  test(`server-sse-multiple-streams: streams run at once (${modern ? 'now' : 'before'})`, async () => {
    const call = (token: number) => ({
      name: 'test_tool_with_progress',
      arguments: {},
      _meta: { progressToken: token },
    });
    const options = modern ? {} : { meta: null, headers: { 'mcp-protocol-version': '2025-11-25' } };
    const answers = await Promise.all(
      [1, 2, 3].map((token) => client.send('tools/call', call(token), options)),
    );
    answers.forEach(({ status, messages, reply }, index) => {
      assert.is(status, 200);
      assert.ok(reply.result);
      const progress = messages.filter(({ method }) => method === 'notifications/progress');
      assert.equal(
        progress.map(({ params }) => params?.['progressToken']),
        [index + 1, index + 1, index + 1],
      );
    });
  });

test('resources-list: each resource has a URI and a name', async () => {
  const { resources } = await client.ask('resources/list');
  assert.ok(Array.isArray(resources) && resources.length === 2);
  for (const { uri, name } of resources) assert.ok(uri && name);
});

for (const [scenario, uri, pattern] of [
  ['resources-read-text', 'test://static-text', /"mimeType":"text\/plain","text":"./],
  ['resources-read-binary', 'test://static-binary', /"mimeType":"image\/png","blob":"./],
  ['resources-templates-read', 'test://template/123/data', /"text":".*123/],
] as const) {
  test(`${scenario}: the contents arrive`, async () => {
    const { contents } = await client.ask('resources/read', { uri });
    assert.match(JSON.stringify(contents), pattern);
    assert.match(JSON.stringify(contents), `"uri":"${uri}"`);
  });
}

testBoth('sep-2164-resource-not-found: the error names the URI', async (wire) => {
  const uri = 'test://nonexistent';
  const { reply } = await wire.send('resources/read', { uri });
  assert.is(reply.error?.code, -32_602);
  assert.is(reply.error?.data?.['uri'], uri);
});

test('prompts-list: each prompt has a name and a description', async () => {
  const { prompts } = await client.ask('prompts/list');
  assert.ok(Array.isArray(prompts) && prompts.length > 0);
  for (const { name, description } of prompts) assert.ok(name && description);
});

for (const [scenario, name, args, pattern] of [
  ['prompts-get-simple', 'test_simple_prompt', {}, /"text":"This is a simple prompt/],
  [
    'prompts-get-with-args',
    'test_prompt_with_arguments',
    { arg1: 'testValue1', arg2: 'testValue2' },
    /testValue1.*testValue2/,
  ],
  [
    'prompts-get-embedded-resource',
    'test_prompt_with_embedded_resource',
    { resourceUri: 'test://example-resource' },
    /"type":"resource","resource":\{"uri":"test:\/\/example-resource"/,
  ],
  ['prompts-get-with-image', 'test_prompt_with_image', {}, /"type":"image","data":"./],
] as const) {
  test(`${scenario}: the messages arrive`, async () => {
    const { messages } = await client.ask('prompts/get', { name, arguments: args });
    assert.match(JSON.stringify(messages), pattern);
    assert.match(JSON.stringify(messages), '"role":"user"');
  });
}

test('completion-complete: values are suggested', async () => {
  const { completion } = await client.ask('completion/complete', {
    ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
    argument: { name: 'arg1', value: 'par' },
  });
  assert.equal(completion, { values: ['paris'], total: 1, hasMore: false });
});

testBoth('dns-rebinding-protection: foreign hosts and origins are refused', async (_wire, host) => {
  const { port } = new URL(host.url);
  assert.is(
    await statusFrom(host, { host: 'evil.example.com', origin: 'http://evil.example.com' }),
    403,
  );
  assert.is(
    await statusFrom(host, { host: `localhost:${port}`, origin: 'http://evil.example.com' }),
    403,
  );
  for (const name of ['localhost', '127.0.0.1']) {
    const own = `${name}:${port}`;
    assert.is(await statusFrom(host, { host: own, origin: `http://${own}` }), 200, own);
  }
});

testBoth('caching: cacheable results have a lifetime and a scope', async (wire) => {
  const { capabilities } = await wire.ask('server/discover');
  const methods = ['tools/list', 'resources/list', 'resources/templates/list'];
  if ('prompts' in Object(capabilities)) methods.push('prompts/list');
  const results = await Promise.all(methods.map((method) => wire.ask(method)));
  if (wire === client)
    results.push(await wire.ask('resources/read', { uri: 'test://static-text' }));
  results.forEach(({ ttlMs, cacheScope }, index) => {
    assert.ok(Number.isInteger(ttlMs) && Number(ttlMs) >= 0, methods[index]);
    assert.ok(cacheScope === 'public' || cacheScope === 'private', methods[index]);
  });
});

/** Returns the status of a request with the headers. `fetch` does not allow another `Host`. */
async function statusFrom(
  { url }: Host,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const params = { _meta: metaOf() };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/mcp`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': modernVersion,
          'mcp-method': 'server/discover',
          ...headers,
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

test.run();
