import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { itemForm, noteForm, releaseForm, userForm, type Json } from './forms.js';
import { page } from './paging.js';
import { problem, requestProblem } from './problems.js';
import type { GitlabWorld, Item, ItemKind, Note } from './world.js';

/** Answers a request below the project. `id`: the project as the path names it. */
export function projectAnswer(
  world: GitlabWorld,
  request: FakeRequest,
  rest: string,
  id: string,
): FakeAnswer {
  const [, folder = '', name = '', below = '', note = ''] =
    /^\/([a-z_]+)(?:\/([^/]+))?(?:\/([a-z]+))?(?:\/(\d+))?$/.exec(rest) ?? [];
  if (folder === 'issues' || folder === 'merge_requests')
    return itemsAnswer(world, request, { kind: kinds[folder], name, below, note, id });
  // Only listings of issues continue with cursors.
  if (isKeyset(request)) return noKeyset();
  if (folder === 'events') return page(world, request, events(world, request.query), id);
  if (folder === 'releases') return releasesAnswer(world, request, name, id);
  return notFound();
}

const kinds = { issues: 'issue', merge_requests: 'merge_request' } as const;

interface ItemsPath {
  readonly kind: ItemKind;
  /** The number of an item. Empty: all items. */
  readonly name: string;
  readonly below: string;
  /** The id of a note. Empty: all notes. */
  readonly note: string;
  readonly id: string;
}

function itemsAnswer(
  world: GitlabWorld,
  request: FakeRequest,
  { kind, name, below, note, id }: ItemsPath,
): FakeAnswer {
  if (!world.enabled[kind]) return problem(403, 'Forbidden');
  if (isKeyset(request) && (kind !== 'issue' || name !== '')) return noKeyset();
  const { query } = request;
  if (name === '') {
    const refused = invalidTime(query, 'updated_after') ?? invalidTime(query, 'created_after');
    return refused ?? page(world, request, listedItems(world, kind, query), id);
  }
  const item = world.items[kind].get(Number(name));
  if (item === undefined || !world.isVisible(item)) return notFound();
  if (below === '') return { json: itemForm(world, item) };
  if (below !== 'notes') return notFound();
  if (note !== '') return noteAnswer(world, item, Number(note));
  return page(world, request, listedNotes(world, item, query), id);
}

/** By default, in order of creation, newest first. */
function listedItems(world: GitlabWorld, kind: ItemKind, query: URLSearchParams): Json[] {
  const state = query.get('state') ?? 'all';
  const timeOf = (name: string): number => Date.parse(query.get(name) ?? '1970-01-01');
  const items = [...world.items[kind].values()].filter(
    (item) =>
      world.isVisible(item) &&
      (state === 'all' || item.state === state) &&
      item.updatedAt >= timeOf('updated_after') &&
      item.createdAt >= timeOf('created_after'),
  );
  return ordered(items, query).map((item) => itemForm(world, item));
}

function noteAnswer(world: GitlabWorld, item: Item, id: number): FakeAnswer {
  const note = world.notesOf(item).find((each) => each.id === id);
  return note === undefined ? notFound() : { json: noteForm(world, note) };
}

function listedNotes(world: GitlabWorld, item: Item, query: URLSearchParams): Json[] {
  return ordered(world.notesOf(item), query).map((note) => noteForm(world, note));
}

function ordered<T extends Item | Note>(items: readonly T[], query: URLSearchParams): T[] {
  const order = query.get('order_by') ?? 'created_at';
  const value = (item: T): number =>
    order === 'updated_at' ? item.updatedAt : order === 'id' ? item.id : item.createdAt;
  const sign = query.get('sort') === 'asc' ? 1 : -1;
  return items.toSorted((a, b) => sign * (value(a) - value(b) || a.id - b.id));
}

/** New notes only: changes of a note are no events. `after` is a date, exclusive. */
function events(world: GitlabWorld, query: URLSearchParams): Json[] {
  const after = query.get('after');
  const end = after === null ? 0 : Date.parse(after) + 24 * 3_600_000;
  const sign = query.get('sort') === 'asc' ? 1 : -1;
  const action = query.get('action') ?? 'commented';
  return [...world.notes.values()]
    .filter(({ system, createdAt }) => action === 'commented' && !system && createdAt >= end)
    .toSorted((a, b) => sign * (a.createdAt - b.createdAt || a.id - b.id))
    .map((note) => eventForm(world, note));
}

function eventForm(world: GitlabWorld, note: Note): Json {
  const form = noteForm(world, note);
  const author = userForm(world, note.author);
  return {
    id: note.id + 1_000_000,
    project_id: world.projectId,
    action_name: 'commented on',
    target_id: note.id,
    target_iid: note.id,
    target_type: note.file === null ? 'Note' : 'DiffNote',
    author_id: author['id'],
    target_title: world.item(note.kind, note.iid).title,
    created_at: form['created_at'],
    note: form,
    author,
    imported: false,
    imported_from: 'none',
    author_username: note.author,
  };
}

/** Newest first. Releases have no time of their last change. */
function releasesAnswer(
  world: GitlabWorld,
  request: FakeRequest,
  name: string,
  id: string,
): FakeAnswer {
  if (!world.enabled.release) return problem(403, 'Forbidden');
  if (name === '') {
    const releases = [...world.releases.values()].toReversed();
    return page(
      world,
      request,
      releases.map((release) => releaseForm(world, release)),
      id,
    );
  }
  const release = world.releases.get(decodeURIComponent(name));
  return release === undefined ? notFound() : { json: releaseForm(world, release) };
}

function isKeyset({ query }: FakeRequest): boolean {
  return query.get('pagination') === 'keyset';
}

function noKeyset(): FakeAnswer {
  return requestProblem(405, 'Keyset pagination is not yet available for this type of request');
}

function invalidTime(query: URLSearchParams, name: string): FakeAnswer | null {
  const time = query.get(name);
  const isValid = time === null || !Number.isNaN(Date.parse(time));
  return isValid ? null : requestProblem(400, `${name} is invalid`);
}

function notFound(): FakeAnswer {
  return problem(404, 'Not found');
}
