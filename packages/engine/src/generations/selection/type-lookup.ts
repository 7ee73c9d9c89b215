import { setImmediate as immediate } from 'node:timers/promises';
import type { GenerationReader, ObjectTypeFilter } from '@trove/core/store';

/** Sources to look up in one query. Equal types are the same object. */
interface LookupBatch {
  readonly reader: GenerationReader;
  readonly types: ObjectTypeFilter;
  readonly ids: Set<string>;
  readonly holders: Promise<ReadonlySet<string>>;
}

/** Looks up the sources that have objects of some types. Calls within a turn of the event loop share a query. */
export class TypeLookup {
  #batches: readonly LookupBatch[] = [];

  async has(
    reader: GenerationReader,
    connectorId: string,
    types: ObjectTypeFilter,
  ): Promise<boolean> {
    const joined = this.#batches.find((each) => each.reader === reader && each.types === types);
    const batch = joined ?? this.#begin(reader, types);
    batch.ids.add(connectorId);
    return (await batch.holders).has(connectorId);
  }

  #begin(reader: GenerationReader, types: ObjectTypeFilter): LookupBatch {
    const ids = new Set<string>();
    const lookUp = async (): Promise<ReadonlySet<string>> => {
      await immediate();
      this.#batches = this.#batches.filter((each) => each !== batch);
      return new Set(await reader.objects.holders([...ids], types));
    };
    const batch = { reader, types, ids, holders: lookUp() };
    this.#batches = [...this.#batches, batch];
    return batch;
  }
}
