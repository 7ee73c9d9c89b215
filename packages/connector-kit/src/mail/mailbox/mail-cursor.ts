import type { KnownMail } from './service.js';

const version = 1;

/** What a sync knows of a mailbox at its end. */
export class MailCursor implements KnownMail {
  /** From where `changes` continues. */
  state: unknown;
  readonly #places: Map<string, string>;
  readonly #attachments: Map<string, readonly string[]>;

  constructor(
    state: unknown = null,
    places = new Map<string, string>(),
    attachments = new Map<string, readonly string[]>(),
  ) {
    this.state = state;
    this.#places = places;
    this.#attachments = attachments;
  }

  placeOf(id: string): string | undefined {
    return this.#places.get(id);
  }

  idsIn(place: string): readonly string[] {
    return [...this.#places].flatMap(([id, each]) => (each === place ? [id] : []));
  }

  places(): readonly string[] {
    return [...new Set(this.#places.values())];
  }

  /** Returns the names of the attachments of a message. */
  attachmentsOf(id: string): readonly string[] {
    return this.#attachments.get(id) ?? [];
  }

  setPlace(id: string, place: string | undefined): void {
    if (place !== undefined) this.#places.set(id, place);
  }

  setAttachments(id: string, names: readonly string[]): void {
    if (names.length === 0) this.#attachments.delete(id);
    else this.#attachments.set(id, names);
  }

  remove(id: string): void {
    this.#places.delete(id);
    this.#attachments.delete(id);
  }

  copy(): MailCursor {
    return new MailCursor(this.state, new Map(this.#places), new Map(this.#attachments));
  }

  /** Returns the JSON of the cursor. `settings`: what decides which messages the source has. */
  serialize(settings: string): unknown {
    const places = this.places().map((place) => [place, ...this.idsIn(place)]);
    const attachments = [...this.#attachments].map(([id, names]) => [id, ...names]);
    return { v: version, settings, state: this.state, places, attachments };
  }
}

/** Returns null for another format or other settings. */
export function parseMailCursor(value: unknown, settings: string): MailCursor | null {
  const stored: StoredCursor = Object(value);
  if (stored.v !== version || stored.settings !== settings) return null;
  const places = new Map(
    rowsOf(stored.places).flatMap(([place, ...ids]) =>
      ids.map((id): [string, string] => [id, place]),
    ),
  );
  const attachments = rowsOf(stored.attachments).map(
    ([id, ...names]): [string, readonly string[]] => [id, names],
  );
  return new MailCursor(stored.state ?? null, places, new Map(attachments));
}

interface StoredCursor {
  readonly v?: unknown;
  readonly settings?: unknown;
  readonly state?: unknown;
  readonly places?: unknown;
  readonly attachments?: unknown;
}

function rowsOf(value: unknown): readonly (readonly [string, ...string[]])[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function isRow(value: unknown): value is readonly [string, ...string[]] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
  );
}
