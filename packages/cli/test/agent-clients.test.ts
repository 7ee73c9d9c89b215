// test-slow
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

/* The clients of the protocol's authors list and call the tools, over HTTP and over standard input. */

const test = suite('clients of the Model Context Protocol');
const binPath = fileURLToPath(new URL('../bin/trove.js', import.meta.url));

interface AgentClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly object[] }>;
  readResource(params: { uri: string }): Promise<{ readonly contents: readonly object[] }>;
  callTool(params: { name: string; arguments: object }): Promise<{
    readonly content: readonly { readonly text?: string }[];
    readonly structuredContent?: object;
  }>;
}

type New<T> = new (...args: readonly unknown[]) => T;

interface Library {
  readonly client: New<AgentClient>;
  readonly http: New<object>;
  readonly stdio: New<object>;
}

const old = '@modelcontextprotocol/sdk';
const current = '@modelcontextprotocol/client';

const libraries: readonly { readonly name: string; load(): Promise<Library> }[] = [
  {
    name: old,
    load: async () => {
      const folder = 'dist/esm/client';
      const { Client } = await importVendorClient<{ Client: New<AgentClient> }>(
        old,
        `${folder}/index.js`,
      );
      const { StreamableHTTPClientTransport } = await importVendorClient<{
        StreamableHTTPClientTransport: New<object>;
      }>(old, `${folder}/streamableHttp.js`);
      const { StdioClientTransport } = await importVendorClient<{
        StdioClientTransport: New<object>;
      }>(old, `${folder}/stdio.js`);
      return { client: Client, http: StreamableHTTPClientTransport, stdio: StdioClientTransport };
    },
  },
  {
    name: current,
    load: async () => {
      const { Client, StreamableHTTPClientTransport } = await importVendorClient<{
        Client: New<AgentClient>;
        StreamableHTTPClientTransport: New<object>;
      }>(current, 'dist/index.mjs');
      const { StdioClientTransport } = await importVendorClient<{
        StdioClientTransport: New<object>;
      }>(current, 'dist/stdio.mjs');
      return { client: Client, http: StreamableHTTPClientTransport, stdio: StdioClientTransport };
    },
  },
];

for (const { name, load } of libraries) {
  for (const transport of ['http', 'stdio'] as const) {
    testUnless(missingVendorClient(name), test)(
      `${name} uses every tool over ${transport}`,
      async () => {
        await using home = await temporaryHome();
        await using notes = await temporaryHome();
        await writeFile(join(notes.path, 'fox.md'), '# Fox\n\nThe quick brown fox.\n');
        const endpoint = `http://127.0.0.1:${await freePort()}`;
        const env = { TROVE_ENDPOINT: endpoint };
        const library = await load();
        const client = new library.client({ name: 'test', version: '1' });
        try {
          await runTrove(['serve', 'start'], { home: home.path, env });
          await runTrove(['add', notes.path], { home: home.path, env });
          await client.connect(await transportOf(library, transport, home.path, endpoint));
          await useEverything(client);
          await client.close();
        } finally {
          await runTrove(['serve', 'stop'], { home: home.path });
        }
      },
    );
  }
}

async function transportOf(
  library: Library,
  kind: 'http' | 'stdio',
  home: string,
  endpoint: string,
): Promise<object> {
  if (kind === 'stdio')
    return new library.stdio({
      command: process.execPath,
      args: [binPath, 'mcp', '--endpoint', endpoint],
      env: { PATH: process.env['PATH'] ?? '', HOME: home, TROVE_HOME: home },
    });
  const token = (await readFile(join(home, 'server.token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}` };
  return new library.http(new URL(`${endpoint}/mcp`), { requestInit: { headers } });
}

/** The clients validate each structured answer against the output schema. */
async function useEverything(client: AgentClient): Promise<void> {
  const { tools } = await client.listTools();
  assert.equal(
    tools.map(({ name }) => name),
    ['search', 'grep', 'read', 'list', 'status'],
  );
  const found = await client.callTool({ name: 'search', arguments: { query: 'fox' } });
  const uri = /file:\S+fox\.md/.exec(found.content[0]?.text ?? '')?.[0] ?? '';
  for (const [name, args] of [
    ['grep', { pattern: 'quick' }],
    ['read', { uri }],
    ['list', {}],
    ['status', {}],
  ] as const) {
    const { content, structuredContent } = await client.callTool({ name, arguments: args });
    assert.ok(content[0]?.text, name);
    assert.ok(structuredContent, name);
  }
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.is(resourceTemplates.length, 1);
  const { contents } = await client.readResource({ uri: `trove://${uri}` });
  assert.match(JSON.stringify(contents), 'quick brown');
}

test.run();
