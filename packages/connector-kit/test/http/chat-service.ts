import type { FakeAnswer, FakeRequest, ServiceModel } from '../../src/http/fake/index.js';

export interface Message {
  readonly ts: string;
  text: string;
  user: string;
  replies: Message[];
}

/** The imaginary chat: every answer has status 200, threads show only in their first message. */
export class Chat implements ServiceModel {
  readonly channels = new Map<string, { name: string; messages: Message[]; isMember: boolean }>();

  answer({ path, query }: FakeRequest): FakeAnswer {
    if (path === '/me') return { json: { ok: true, name: 'Robot' } };
    const channel = this.channels.get(query.get('channel') ?? '');
    if (path === '/channels') return { json: { ok: true, channels: this.#list() } };
    if (path === '/user')
      return { json: { ok: true, user: { name: `Name of ${query.get('id')}` } } };
    if (channel === undefined) return { json: { ok: false, error: 'channel_not_found' } };
    if (!channel.isMember) return { json: { ok: false, error: 'not_in_channel' } };
    if (path === '/history') return { json: this.#history(channel.messages, query) };
    const root = channel.messages.find(({ ts }) => ts === query.get('ts'));
    if (root === undefined) return { json: { ok: false, error: 'thread_not_found' } };
    return {
      json: { ok: true, messages: [root, ...root.replies].map((each) => show(each, root.ts)) },
    };
  }

  rateLimited(_request: FakeRequest, retryAfterMs: number): FakeAnswer {
    const headers = { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
    return { status: 429, headers, json: { ok: false, error: 'ratelimited' } };
  }

  unauthorized(): FakeAnswer {
    return { json: { ok: false, error: 'invalid_auth' } };
  }

  #list(): unknown[] {
    return [...this.channels].map(([id, { name }]) => ({ id, name }));
  }

  #history(messages: readonly Message[], query: URLSearchParams): unknown {
    const oldest = Number(query.get('oldest') ?? 0);
    const newestFirst = messages
      .filter(({ ts }) => Number(ts) >= oldest)
      .toSorted((a, b) => Number(b.ts) - Number(a.ts));
    const start = Number(query.get('cursor') ?? 0);
    const page = newestFirst.slice(start, start + 2).map((each) => show(each, each.ts));
    const next = start + 2 < newestFirst.length ? String(start + 2) : '';
    return { ok: true, messages: page, meta: { next } };
  }
}

function show({ ts, text, user, replies }: Message, thread: string): unknown {
  const latest = replies.at(-1)?.ts;
  return { ts, text, user, thread, ...(latest === undefined ? {} : { latest_reply: latest }) };
}
