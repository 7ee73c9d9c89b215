import { isList } from './json.js';
import type { ObjectKind } from '@trove/core';

import type { HttpDescription, ObjectDescription, StreamDescription } from './description/index.js';

/** A stream with its relations to others. */
export interface PlannedStream {
  readonly name: string;
  readonly description: StreamDescription;
  /** The parents, outermost first. */
  readonly ancestors: readonly string[];
  readonly children: readonly string[];
  /** The object of its records. Null: it has no records. */
  readonly object: PlannedObject | null;
  /** The value of `stream` in its keys. Null: keys have no such member. */
  readonly keyStream: string | null;
}

/** An object, or a kind of object with one for each item of a stream. */
export interface PlannedObject {
  readonly name: string;
  readonly description: ObjectDescription;
  readonly kind: ObjectKind;
  readonly streams: readonly string[];
  readonly keyFields: readonly string[];
  /** All listings that its records need, without those of its parent. */
  readonly closure: ReadonlySet<string>;
}

/** The streams and objects of a service. */
export interface Plan {
  readonly streams: ReadonlyMap<string, PlannedStream>;
  readonly objects: readonly PlannedObject[];
  /** The streams that a listing of all objects needs. */
  readonly entryStreams: ReadonlySet<string>;
}

const hasStreamMember = 'stream';

/** Returns the names of the members of a stream's keys and their paths. */
export function keyPaths(key: StreamDescription['key']): readonly (readonly [string, string])[] {
  if (key === undefined) return [];
  if (typeof key === 'string') return [[lastName(key), key]];
  if (isList(key)) return key.map((path) => [lastName(path), path]);
  return Object.entries(key);
}

export function planOf(description: HttpDescription): Plan {
  const { streams } = description;
  const objects = objectsOf(description);
  const planned = new Map<string, PlannedStream>();
  for (const [name, stream] of Object.entries(streams)) {
    const object = objects.find((each) => each.streams.includes(name)) ?? null;
    planned.set(name, {
      name,
      description: stream,
      ancestors: ancestorsOf(name, streams),
      children: Object.keys(streams).filter((child) => streams[child]?.for === name),
      object,
      keyStream:
        object?.keyFields.includes(hasStreamMember) === true ? (stream.sameAs ?? name) : null,
    });
  }
  const listed = [
    ...objects.flatMap((object) => object.description.for ?? []),
    ...Object.keys(streams).filter((name) => streams[name]?.document !== undefined),
  ];
  const entryStreams = new Set(listed.flatMap((name) => [name, ...ancestorsOf(name, streams)]));
  return { streams: planned, objects, entryStreams };
}

function objectsOf({ streams, objects = {} }: HttpDescription): readonly PlannedObject[] {
  const names = new Set(Object.values(streams).flatMap((stream) => stream.in ?? []));
  return [...names].map((name) => {
    const own = Object.keys(streams).filter((each) => streams[each]?.in === name);
    const description = objects[name] ?? { path: name };
    const hasThreads = own.some((each) => hasThread(streams[each]));
    const kind = description.kind ?? (hasThreads ? 'message_stream' : 'record_collection');
    const outer = new Set(
      description.for === undefined
        ? []
        : [description.for, ...ancestorsOf(description.for, streams)],
    );
    const closure = new Set(
      own
        .flatMap((each) => [each, ...ancestorsOf(each, streams)])
        .filter((each) => !outer.has(each)),
    );
    return { name, description, kind, streams: own, keyFields: keyFieldsOf(own, streams), closure };
  });
}

function keyFieldsOf(
  own: readonly string[],
  streams: HttpDescription['streams'],
): readonly string[] {
  const names = new Set(
    own.flatMap((name) => keyPaths(streams[name]?.key).map(([field]) => field)),
  );
  const distinct = new Set(own.map((name) => streams[name]?.sameAs ?? name));
  return distinct.size > 1 ? [hasStreamMember, ...names] : [...names];
}

function hasThread(stream: StreamDescription | undefined): boolean {
  if (stream === undefined) return false;
  const { record, ofThread } = stream;
  return ofThread !== undefined || (typeof record === 'object' && record.thread !== undefined);
}

/** Returns the parents of a stream, outermost first. Stops at a cycle, which the validation reports. */
export function ancestorsOf(name: string, streams: HttpDescription['streams']): readonly string[] {
  const found: string[] = [];
  for (let parent = streams[name]?.for; parent !== undefined; parent = streams[parent]?.for) {
    if (found.includes(parent) || parent === name) break;
    found.unshift(parent);
  }
  return found;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
