export interface Stored {
  readonly kind: string;
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archivedAt: number | null;
}

export interface Owner {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A state of a record in the search index. Null: not in it. */
interface Version {
  readonly at: number;
  readonly stored: Stored | null;
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** The scope that a kind of object needs. */
export function scopeOf(kind: string): string {
  if (kind === 'tickets') return 'tickets';
  if (kind === 'emails') return 'sales-email-read';
  const own = kind === 'companies' || kind === 'deals';
  return `crm.objects.${own ? kind : 'contacts'}.read`;
}

/** An account of HubSpot whose clock only tests advance. Every change happens at `now`. */
export class HubspotWorld {
  readonly objects = new Map<string, Stored>();
  readonly owners = new Map<string, Owner>();
  readonly tokens = new Set(['token-1']);
  readonly scopes = new Set([
    'crm.objects.contacts.read',
    'crm.objects.companies.read',
    'crm.objects.deals.read',
    'crm.objects.owners.read',
    'tickets',
    'sales-email-read',
  ]);
  /** Labels of the stages of deals and tickets. */
  readonly stages = new Map([
    ['appointmentscheduled', 'Appointment scheduled'],
    ['1', 'New'],
  ]);
  readonly #associations = new Map<string, Set<string>>();
  readonly #index = new Map<string, Version[]>();
  readonly ann: string;
  /** The time until a search finds a change. */
  searchLagMs = 0;
  /** Whether the winner of a merge names the records that it replaces. */
  namesMerged = true;
  /** The maximum number of records in one answer to a search. */
  searchSize = 200;
  /** The number of results after which one search ends. */
  maxResults = 10_000;
  now = startTime;
  #lastId = 500;

  constructor() {
    this.ann = this.#nextId();
    this.owners.set(this.ann, { id: this.ann, firstName: 'Ann', lastName: 'Archer' });
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  create(kind: string, properties: Readonly<Record<string, string>>): Stored {
    const times = { createdAt: this.now, updatedAt: this.now, archivedAt: null };
    return this.#put({ kind, id: this.#nextId(), properties, ...times });
  }

  edit(id: string, properties: Readonly<Record<string, string | null>>): void {
    const stored = this.get(id);
    const merged = { ...stored.properties, ...properties };
    this.#put({ ...stored, properties: merged, updatedAt: this.now });
  }

  /** Archives a record, from which it can be restored for 90 days. */
  archive(id: string): void {
    this.#put({ ...this.get(id), archivedAt: this.now });
  }

  restore(id: string): void {
    this.#put({ ...this.get(id), archivedAt: null, updatedAt: this.now });
  }

  /** Deletes a record for good. Nothing reports this. */
  purge(id: string): void {
    this.#forget(id);
  }

  /** Merges a record into another one. The first one disappears. */
  merge(id: string, into: string): void {
    const { hs_merged_object_ids: earlier } = this.get(into).properties;
    const ids = [...(earlier?.split(';') ?? []), id].join(';');
    this.#forget(id);
    this.edit(into, this.namesMerged ? { hs_merged_object_ids: ids } : {});
  }

  /** Associates two records, which changes neither of them. */
  associate(first: string, second: string): void {
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const) {
      const known = this.#associations.get(from) ?? new Set<string>();
      this.#associations.set(from, known.add(to));
    }
  }

  associatedWith(id: string, kind: string): string[] {
    return [...(this.#associations.get(id) ?? [])].filter(
      (each) => this.objects.get(each)?.kind === kind,
    );
  }

  get(id: string): Stored {
    const stored = this.objects.get(id);
    if (stored === undefined) throw new Error(`There is no record ${id}.`);
    return stored;
  }

  /** Returns the records of a kind, by id. */
  list(kind: string, isArchived: boolean): Stored[] {
    return [...this.objects.values()].filter(
      (stored) => stored.kind === kind && (stored.archivedAt !== null) === isArchived,
    );
  }

  /** Returns the records that a search finds: as they were before the lag. */
  indexed(kind: string): Stored[] {
    return [...this.#index.values()].flatMap((versions) => {
      const visible = versions.findLast(({ at }) => at + this.searchLagMs <= this.now)?.stored;
      return visible?.kind === kind && visible.archivedAt === null ? [visible] : [];
    });
  }

  #put(stored: Stored): Stored {
    this.objects.set(stored.id, stored);
    this.#record(stored.id, stored);
    return stored;
  }

  #forget(id: string): void {
    this.objects.delete(id);
    this.#record(id, null);
  }

  #record(id: string, stored: Stored | null): void {
    this.#index.set(id, [...(this.#index.get(id) ?? []), { at: this.now, stored }]);
  }

  #nextId(): string {
    return String(++this.#lastId);
  }
}
