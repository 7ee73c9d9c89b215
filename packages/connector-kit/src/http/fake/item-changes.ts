import { isRecord, textOf, valueAt } from '../json.js';
import type { PlannedObject, PlannedStream } from '../plan.js';
import { idPaths, timePath } from './item-paths.js';
import type { FakeWorld } from './fake-world.js';
import { timeLike } from './time-like.js';
import { isPath, setAt } from './places.js';
import type { DerivedFake } from './derived-fake.js';
import { timeOfItem, type FakeItem, type StoredItem } from './stored-items.js';

/** How to change an item of a stream, if the description does not tell. */
export interface ItemChanges {
  /** Members to set by their paths. */
  readonly edit?: FakeItem;
  /** A new item. */
  readonly add?: FakeItem;
}

/** The records of an object to change. */
interface RecordsToChange {
  readonly object: PlannedObject;
  /** The item that the object stands for, or null. */
  readonly parent: StoredItem | null;
  readonly changes: Readonly<Record<string, ItemChanges>>;
}

const addedText = 'Another line.\n';

/** Adds a line to a document. */
export function changeContent(fake: DerivedFake, item: StoredItem): void {
  const { stream, id, value, content } = item;
  const { read, document } = stream.description;
  const changes: Record<string, unknown> = {};
  const text = read?.text;
  if (content !== undefined) item.content = Buffer.concat([content, Buffer.from(addedText)]);
  else if (isPath(text)) changes[text] = `${textOf(valueAt(value, text)) ?? ''}${addedText}`;
  else throw new Error(`The fake cannot change the content of item ${id} of \`${stream.name}\`.`);
  const fingerprint = document?.fingerprint;
  if (isPath(fingerprint) && fingerprint !== text && fingerprint !== timePath(stream.description))
    changes[fingerprint] = afterValue(valueAt(value, fingerprint));
  fake.edit(stream.name, id, changes);
}

/** Changes the first record of an object, deletes the second one and adds one. */
export function changeRecords(fake: DerivedFake, world: FakeWorld, target: RecordsToChange): void {
  const { object, changes } = target;
  const name = object.streams.find((each) => {
    const parent = world.plan.streams.get(each)?.description.for;
    return parent === undefined || !object.streams.includes(parent);
  });
  const stream = name === undefined ? undefined : world.plan.streams.get(name);
  const [first, second] = stream === undefined ? [] : itemsIn(world, stream, target);
  if (stream === undefined || first === undefined)
    throw new Error(`The fake has no items for the object \`${object.name}\`.`);
  fake.edit(stream.name, first.id, changes[stream.name]?.edit ?? changedText(stream));
  addItem(fake, world, stream, { template: first, add: changes[stream.name]?.add });
  if (second !== undefined) fake.delete(stream.name, second.id);
}

/** Adds a reply to the oldest thread of an object. */
export function addReply(fake: DerivedFake, world: FakeWorld, target: RecordsToChange): void {
  const { object, changes } = target;
  const streams = object.streams.flatMap((name) => world.plan.streams.get(name) ?? []);
  const replies = streams.find(({ description }) => object.streams.includes(description.for ?? ''));
  const roots = streams.find(({ name }) => name === replies?.description.for);
  const found = roots === undefined ? [] : itemsIn(world, roots, target);
  const oldest = found.toSorted((a, b) => timeOfItem(a) - timeOfItem(b))[0];
  if (replies === undefined || oldest === undefined)
    throw new Error(`The fake has no threads in the object \`${object.name}\`.`);
  const all = world.items.all(replies.name).filter(({ isGone }) => !isGone);
  const template = all.find(({ parent }) => parent === oldest) ?? all[0];
  addItem(fake, world, replies, { template, add: changes[replies.name]?.add, parent: oldest });
}

/** Renames the first folder with documents. */
export function moveFolder(fake: DerivedFake, { plan, items }: FakeWorld): void {
  for (const { name, description } of plan.streams.values()) {
    const tree = description.document?.tree;
    if (tree === undefined || !isPath(tree.name) || !isPath(tree.parent)) continue;
    const { parent: parentPath, name: namePath } = tree;
    const parents = items.all(name).map(({ value }) => [valueAt(value, parentPath)].flat()[0]);
    const folder = items
      .all(tree.folders)
      .find(({ id }) => parents.some((each) => textOf(each) === id));
    if (folder === undefined) continue;
    const renamed = `${textOf(valueAt(folder.value, namePath)) ?? ''} (moved)`;
    fake.edit(tree.folders, folder.id, { [namePath]: renamed });
    return;
  }
  throw new Error('The fake has no folder with documents.');
}

function itemsIn(
  { items }: FakeWorld,
  { name }: PlannedStream,
  { parent }: RecordsToChange,
): readonly StoredItem[] {
  return items.all(name).filter((item) => {
    if (item.isGone) return false;
    for (let each: StoredItem | null = item; each !== null; each = each.parent)
      if (each === parent) return true;
    return parent === null;
  });
}

function changedText({ name, description }: PlannedStream): FakeItem {
  const { record } = description;
  const path = typeof record === 'object' ? [record.text, record.title].find(isPath) : undefined;
  if (path !== undefined) return { [path]: 'Changed text.' };
  throw new Error(
    `The fake cannot tell how to change a record of \`${name}\`. Give \`changes.${name}.edit\`.`,
  );
}

/** Adds an item like another one, with a new id and the time of now. */
function addItem(
  fake: DerivedFake,
  world: FakeWorld,
  { name, description }: PlannedStream,
  {
    template,
    add,
    parent = template?.parent ?? null,
  }: {
    readonly template: StoredItem | undefined;
    readonly add: FakeItem | undefined;
    readonly parent?: StoredItem | null;
  },
): void {
  if (template === undefined && add === undefined)
    throw new Error(
      `The fake has no item of \`${name}\` to add one like it. Give \`changes.${name}.add\`.`,
    );
  let value: unknown = add ?? template?.value ?? {};
  const time = timePath(description);
  if (time !== undefined && add === undefined)
    value = setAt(value, time, timeLike(valueAt(value, time), Date.now()));
  if (add === undefined)
    for (const path of idPaths(world.plan, name)) {
      if (path === time) continue;
      const ids = world.items.all(name).map((item) => valueAt(item.value, path));
      value = setAt(value, path, newId(ids));
    }
  const parents: Record<string, string> = {};
  for (let each = parent; each !== null; each = each.parent) parents[each.stream.name] = each.id;
  fake.put(name, isRecord(value) ? value : {}, parents);
}

function newId(ids: readonly unknown[]): unknown {
  const numbers = ids.filter((id) => typeof id === 'number');
  if (numbers.length > 0) return Math.max(...numbers) + 1;
  const counts = ids.map(Number).filter((count) => Number.isSafeInteger(count));
  return counts.length === ids.length
    ? String(Math.max(...counts) + 1)
    : `${textOf(ids.at(-1)) ?? 'item'}-new`;
}

function afterValue(value: unknown): unknown {
  return typeof value === 'number' ? value + 1 : `${textOf(value) ?? ''}*`;
}
