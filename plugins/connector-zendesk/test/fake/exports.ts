import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { eventForm, secondsOf, ticketForm, userForm, type Account } from './forms.js';
import { problem } from './problems.js';

const minuteMs = 60_000;

interface Exported {
  readonly id: number;
  readonly at: number;
}

/** A cursor names the last item by its time and id. */
function cursorOf({ world }: Account, { id, at }: Exported): string {
  return Buffer.from(`${world.cursorGeneration}|${secondsOf(at)}|${id}`).toString('base64');
}

/** Exports by a cursor, sorted by time and id: tickets, also deleted and archived ones, or users. */
export function exportByCursor(
  account: Account,
  { query, path, origin }: FakeRequest,
  kind: 'tickets' | 'users',
): FakeAnswer {
  const { world } = account;
  const [generation, time, id] = Buffer.from(query.get('cursor') ?? '', 'base64')
    .toString()
    .split('|')
    .map(Number);
  const isFirst = !query.has('cursor');
  if (!isFirst && generation !== world.cursorGeneration)
    return problem(422, 'InvalidValue', 'The cursor is not valid or has expired.');
  const start = Number(query.get('start_time') ?? Number.NaN);
  if (isFirst && !isOldEnough(account, start)) return tooRecent();
  const all: readonly Exported[] =
    kind === 'tickets'
      ? [...world.tickets.values()].map((ticket) => ({ id: ticket.id, at: ticket.generatedAt }))
      : [...world.users.values()].map((user) => ({ id: user.id, at: 0 }));
  const later = all
    .filter(({ at }) => at <= world.now - minuteMs)
    .filter((item) => {
      const seconds = secondsOf(item.at);
      return isFirst
        ? seconds >= start
        : seconds > Number(time) || (seconds === Number(time) && item.id > Number(id));
    })
    .toSorted((a, b) => secondsOf(a.at) - secondsOf(b.at) || a.id - b.id);
  const page = later.slice(0, world.exportSize);
  const last = page.at(-1);
  const cursor = last === undefined ? null : cursorOf(account, last);
  const url = `${origin}${path}?cursor=${encodeURIComponent(cursor ?? '')}`;
  return {
    json: {
      [kind]: page.map(({ id: found }) =>
        kind === 'tickets'
          ? ticketForm(account, world.ticket(found))
          : userForm(account, userWith(account, found)),
      ),
      after_cursor: cursor,
      after_url: cursor === null ? null : url,
      before_cursor: null,
      before_url: null,
      end_of_stream: page.length === later.length,
    },
  };
}

/** Exports the changes of tickets by time. A page begins with the second of the last one. */
export function exportEvents(account: Account, { query, path, origin }: FakeRequest): FakeAnswer {
  const { world } = account;
  const start = Number(query.get('start_time') ?? Number.NaN);
  if (!isOldEnough(account, start)) return tooRecent();
  const later = world.events.filter(
    ({ at }) => secondsOf(at) >= start && at <= world.now - minuteMs,
  );
  // The events of one second are never divided, because the next page could not begin among them.
  const border = later[world.exportSize - 1]?.at;
  const page =
    border === undefined ? later : later.filter(({ at }) => secondsOf(at) <= secondsOf(border));
  const last = page.at(-1);
  const end = last === undefined ? null : secondsOf(last.at);
  const hasTexts = query.get('include')?.split(',').includes('comment_events') === true;
  return {
    json: {
      ticket_events: page.map((event) => eventForm(account, event, hasTexts)),
      end_time: end,
      next_page: end === null ? null : `${origin}${path}?start_time=${end}`,
      count: page.length,
      end_of_stream: page.length === later.length,
    },
  };
}

function isOldEnough({ world }: Account, startSeconds: number): boolean {
  return startSeconds * 1000 <= world.now - minuteMs;
}

function tooRecent(): FakeAnswer {
  return problem(422, 'StartTimeTooRecent', 'Too recent start_time. Use one that is a minute old.');
}

function userWith({ world }: Account, id: number) {
  const user = world.users.get(id);
  if (user === undefined) throw new Error(`There is no user ${id}.`);
  return user;
}
