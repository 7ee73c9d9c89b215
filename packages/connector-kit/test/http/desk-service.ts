import {
  type FakeAnswer,
  type FakeRequest,
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '../../src/http/fake/index.js';

/** A ticket of the imaginary help desk. `updated` is in milliseconds since 1970. */
export interface Ticket {
  readonly id: number;
  title: string;
  body: string;
  author: string;
  updated: number;
  gone?: boolean;
}

export interface Comment {
  readonly id: number;
  readonly ticket: number;
  text: string;
  updated: number;
}

/** The imaginary help desk: tickets with comments, paged in every way. */
export class Desk implements ServiceModel {
  readonly tickets = new Map<number, Ticket>();
  readonly comments = new Map<number, Comment>();
  readonly users = new Map([
    ['u1', 'Ada'],
    ['u2', 'Ben'],
  ]);
  pageSize = 2;
  readonly tokens = new Set(['good']);
  /** Answers requests with a wrong token as if nobody had logged in, except `/me`. */
  isLenient = false;

  addTicket(id: number, updated: number): Ticket {
    const author = id % 2 === 0 ? 'u2' : 'u1';
    const ticket = { id, title: `Ticket ${id}`, body: `Body of ticket ${id}`, author, updated };
    this.tickets.set(id, ticket);
    return ticket;
  }

  addComment(id: number, ticket: number, updated: number): void {
    this.comments.set(id, { id, ticket, text: `Comment ${id}`, updated });
  }

  answer(request: FakeRequest): FakeAnswer {
    const isKnown = this.tokens.has(
      (request.headers['authorization'] ?? '').replace('Bearer ', ''),
    );
    if (!isKnown && (request.path === '/me' || !this.isLenient)) return this.unauthorized(request);
    if (request.path === '/me')
      return { json: { name: 'Robot' }, headers: { 'x-scopes': 'read, search' } };
    const text = request.query.get('q');
    if (text !== null && isKnown)
      return {
        json: [...this.tickets.values()].filter(({ body }) =>
          body.toLowerCase().includes(text.toLowerCase()),
        ),
      };
    const [, first = '', id = '', part] = request.path.split('/');
    if (first === 'users') return found(this.users.get(id), (name) => ({ id, profile: { name } }));
    if (first === 'tickets' && id !== '' && part === undefined)
      return found(isKnown ? this.tickets.get(Number(id)) : undefined, (ticket) => ticket);
    if (first === 'tickets' && part === 'comments')
      return { json: this.#commentsOf(Number(id), request) };
    if (first === 'comments') return this.#page('link', [...this.comments.values()], request);
    const tickets = isKnown ? this.#ticketsFor(request) : [];
    return this.#page(first, tickets, request);
  }

  rateLimited(_request: FakeRequest, retryAfterMs: number): FakeAnswer {
    const headers = { 'retry-after': String(retryAfterMs / 1000) };
    return { status: 429, headers, json: { message: 'slow down' } };
  }

  unauthorized(_request: FakeRequest): FakeAnswer {
    return { status: 401, json: { message: 'Bad credentials' } };
  }

  #ticketsFor({ query }: FakeRequest): readonly Ticket[] {
    const since = Date.parse(query.get('since') ?? '');
    const all = [...this.tickets.values()].filter(
      ({ gone }) => gone !== true || !Number.isNaN(since),
    );
    const chosen = Number.isNaN(since) ? all : all.filter(({ updated }) => updated >= since);
    return query.get('sort') === 'newest'
      ? chosen.toSorted((a, b) => b.updated - a.updated)
      : chosen;
  }

  #commentsOf(ticket: number, { query }: FakeRequest): unknown {
    const all = [...this.comments.values()].filter((comment) => comment.ticket === ticket);
    const start = Number(query.get('after') ?? 0);
    const items = all.slice(start, start + this.pageSize);
    return { items, next: start + this.pageSize < all.length ? start + this.pageSize : null };
  }

  #page(
    kind: string,
    all: readonly { readonly id: number }[],
    { origin, path, query }: FakeRequest,
  ): FakeAnswer {
    const from = (start: number): readonly object[] => all.slice(start, start + this.pageSize);
    const isLast = (start: number): boolean => start + this.pageSize >= all.length;
    const offset = Number(query.get('offset') ?? 0);
    const next = (): string => {
      const url = new URL(path, origin);
      for (const [name, value] of query) url.searchParams.set(name, value);
      url.searchParams.set('offset', String(offset + this.pageSize));
      return url.href;
    };
    switch (kind) {
      case 'link':
        return {
          json: from(offset),
          headers: isLast(offset)
            ? {}
            : { link: `<${origin}/first>; rel="first", <${next()}>; rel="next"` },
        };
      case 'next':
        return { json: { data: from(offset), links: isLast(offset) ? {} : { next: next() } } };
      case 'cursor': {
        const start = Number(/^c(\d+)$/.exec(query.get('cursor') ?? 'c0')?.[1] ?? 0);
        return {
          json: {
            data: from(start),
            meta: { next: isLast(start) ? '' : `c${start + this.pageSize}` },
          },
        };
      }
      case 'page':
        return { json: { data: from((Number(query.get('page') ?? 1) - 1) * this.pageSize) } };
      case 'offset':
        return { json: { data: from(offset), total: all.length } };
      case 'keyset': {
        const after = Number(query.get('after') ?? 0);
        return { json: { data: all.filter(({ id }) => id > after).slice(0, this.pageSize) } };
      }
      default:
        return { status: 404, json: { message: 'Not Found' } };
    }
  }
}

export async function startDesk(): Promise<{ desk: Desk; service: FakeService }> {
  const desk = new Desk();
  return { desk, service: await startFakeService(desk) };
}

function found<T>(value: T | undefined, show: (value: T) => unknown): FakeAnswer {
  return value === undefined
    ? { status: 404, json: { message: 'Not Found' } }
    : { json: show(value) };
}
