import type { ConnectorPlugin } from '@trove/core';

import type { FakeService } from './fake-service.js';
import type { FakeItem } from './stored-items.js';
import type { FaultKind } from './stream-faults.js';

/** A web service on this machine that answers as the description of a connector says. */
export interface DerivedFake extends FakeService {
  readonly plugin: ConnectorPlugin;
  readonly target: string;
  readonly config: unknown;
  /** Sends all requests to the fake. Only for a description with a fixed `base`. */
  readonly http: typeof globalThis.fetch | undefined;
  /**
   * Adds an item to a stream, or replaces the one with its id. `parents`: the ids of its parents by their streams. A child
   * also changes its parent as the description reads it: the time of its change, of its last reply, the number of replies.
   */
  put(stream: string, item: FakeItem, parents?: Readonly<Record<string, string | number>>): void;
  /** Sets members of an item by their paths, and the time of its change to now. */
  edit(stream: string, id: string | number, changes: FakeItem): void;
  /** Deletes an item, and shows this as the description reads it: by `isGone`, `gone`, the change feed, or not at all. */
  delete(stream: string, id: string | number): void;
  /** Sets the content of a document. A replaced content changes the time of the document. */
  setContent(
    stream: string,
    id: string | number,
    content: string | Uint8Array,
    mediaType?: string,
  ): void;
  /** Sets what a look-up finds for an id. */
  setName(lookup: string, id: string, name: unknown): void;
  /** Refuses the secret that a setting has, and accepts another one. */
  replaceSecret(setting: string, secret: string): void;
  /** Refuses the access tokens so far. Only for OAuth. */
  expireAccess(): void;
  /** Refuses the tokens of change feeds and exports so far. */
  expireCursors(): void;
  /** Adds a fault to the listings of a stream. */
  fail(stream: string, kind: FaultKind): void;
}
