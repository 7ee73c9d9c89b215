import { TroveError } from '@trove/core';
import { waitUntil } from '@trove/test-support/waiting.js';
import type { AskCallOptions, Caller, Trove } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Host } from '../src/host.js';
import { tarType } from './support/archives.js';
import { withHost } from './support/server.js';

/* A token is revoked while requests with it are in progress. */

const test = suite('requests in progress when their token is revoked');
const headers = { authorization: 'Bearer of-a-holder' };
const holder: Caller = { name: 'holder', access: { rights: 'admin', paths: null } };

interface Door {
  /** Revokes the token. */
  revoke(): void;
  /** Revokes the token after the first check, which the request in progress passes. */
  revokeLater(): Promise<void>;
  /** Makes all checks of the token fail from now on. */
  breakStore(): void;
  /** The number of checks of the token. */
  readonly checks: number;
}

async function withHolder(
  methods: Partial<Trove>,
  run: (host: Host, door: Door) => Promise<void>,
  callerCheckMs = 20,
): Promise<void> {
  let state: 'open' | 'closed' | 'broken' = 'open';
  let checks = 0;
  const authenticate = async (): Promise<Caller | null> => {
    checks++;
    if (state === 'broken') throw new TroveError('storage_unavailable', 'The store is gone');
    return state === 'open' ? holder : null;
  };
  const revoke = (): void => void (state = 'closed');
  const door = {
    revoke,
    revokeLater: async () => {
      await waitUntil(() => checks > 0, 'the request');
      revoke();
    },
    breakStore: () => void (state = 'broken'),
    get checks() {
      return checks;
    },
  };
  await withHost({ ...methods, authenticate }, (host) => run(host, door), {
    limits: { callerCheckMs },
  });
}

/** A body whose end the test determines. */
function openBody(): { readonly body: ReadableStream<Uint8Array>; end(): void } {
  let end = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(10));
      end = () => controller.close();
    },
  });
  return { body, end: () => end() };
}

test('an upload is refused after its last byte', async () => {
  let received = 0;
  let isStored = false;
  const upload: Trove['upload'] = async (_request, bytes) => {
    for await (const piece of bytes) received += piece.byteLength;
    isStored = true;
    throw new TroveError('internal_error', 'The upload was stored');
  };
  const never = 60_000;
  await withHolder(
    { upload },
    async (host, door) => {
      const { body, end } = openBody();
      const answer = fetch(`${host.url}/v1/upload?name=x`, {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': tarType },
        duplex: 'half',
      });
      await waitUntil(() => received > 0, 'the first bytes');
      door.revoke();
      end();
      assert.is((await answer).status, 401);
      assert.not.ok(isStored);
    },
    never,
  );
});

test('an upload that does not end is refused', async () => {
  let reason: unknown;
  const upload: Trove['upload'] = (_request, _bytes, options) =>
    new Promise((_resolve, reject) => {
      options?.signal?.addEventListener('abort', () => reject((reason = options.signal?.reason)));
    });
  await withHolder({ upload }, async (host, door) => {
    const { body, end } = openBody();
    const answer = fetch(`${host.url}/v1/upload?name=x`, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': tarType },
      duplex: 'half',
    });
    await door.revokeLater();
    assert.is((await answer).status, 401);
    assert.match(String(reason), 'revoked');
    end();
  });
});

test('a JSON body is refused after its last byte', async () => {
  let isCalled = false;
  const add: Trove['add'] = async () => {
    isCalled = true;
    throw new TroveError('internal_error', 'The source was added');
  };
  const never = 60_000;
  await withHolder(
    { add },
    async (host, door) => {
      let end = (): void => {};
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"target":'));
          end = () => {
            controller.enqueue(new TextEncoder().encode('"/x"}'));
            controller.close();
          };
        },
      });
      const answer = fetch(`${host.url}/v1/add`, {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': 'application/json' },
        duplex: 'half',
      });
      await door.revokeLater();
      end();
      assert.is((await answer).status, 401);
      assert.not.ok(isCalled);
    },
    never,
  );
});

test('a call that takes long is refused', async () => {
  let isAborted = false;
  const search: Trove['search'] = (_query, options) =>
    new Promise(() => {
      options?.signal?.addEventListener('abort', () => (isAborted = true));
    });
  await withHolder({ search }, async (host, door) => {
    const answer = fetch(`${host.url}/v1/search?q=x`, { headers });
    await door.revokeLater();
    assert.is((await answer).status, 401);
    assert.ok(isAborted);
  });
});

test('the events of an answer end with an error', async () => {
  const ask: Trove['ask'] = async (_request, { onEvent }: AskCallOptions = {}) => {
    await onEvent?.({ event: 'passages', data: { passages: [] } });
    return new Promise(() => {});
  };
  await withHolder({ ask }, async (host, door) => {
    const response = await fetch(`${host.url}/v1/ask`, {
      method: 'POST',
      body: JSON.stringify({ question: 'x' }),
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    });
    assert.is(response.status, 200);
    door.revoke();
    const text = await response.text();
    assert.match(text, /event: error\ndata: .*"unauthorized"/);
  });
});

test('an export ends', async () => {
  async function* content(): AsyncGenerator<string> {
    yield 'a';
    await new Promise(() => {});
  }
  const source = 'file://local/a';
  const exportObject = async () => ({ source, partial: false, content: content() });
  await withHolder({ exportStream: exportObject }, async (host, door) => {
    const response = await fetch(`${host.url}/v1/export?path=/a`, { headers });
    assert.is(response.status, 200);
    door.revoke();
    const failure = await response.text().then(
      () => null,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Error, 'the response was complete');
  });
});

test('the call of an agent ends', async () => {
  const status: Trove['status'] = () => new Promise(() => {});
  await withHolder({ status }, async (host, door) => {
    const answer = fetch(`${host.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'status', arguments: {} },
      }),
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });
    await door.revokeLater();
    const readAll = async (): Promise<number> => {
      const response = await answer;
      await response.text();
      return response.status;
    };
    const outcome = await readAll().catch(() => 'disconnected');
    assert.ok(outcome === 401 || outcome === 'disconnected', String(outcome));
  });
});

test('requests continue while the token cannot be checked', async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const search: Trove['search'] = async () => {
    await released;
    return { results: [] };
  };
  await withHolder({ search }, async (host, door) => {
    const answer = fetch(`${host.url}/v1/search?q=x`, { headers });
    await waitUntil(() => door.checks > 1, 'a check of the request in progress');
    door.breakStore();
    const before = door.checks;
    await waitUntil(() => door.checks > before + 2, 'failing checks');
    release();
    assert.is((await answer).status, 200);
  });
});

test.run();
