/** Requests the values of ids. */
type RequestIds = (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

interface OpenBatch {
  readonly ids: Set<string>;
  readonly values: Promise<ReadonlyMap<string, unknown>>;
}

/** Joins ids that are looked up at the same time. Callers with different signals share no request. */
export class IdBatches {
  readonly #maxIds: number;
  readonly #open = new WeakMap<AbortSignal, OpenBatch>();

  constructor(maxIds: number) {
    this.#maxIds = maxIds;
  }

  /** Returns the value of an id. `request` is called once for all ids of the batch. */
  async find(id: string, signal: AbortSignal, request: RequestIds): Promise<unknown> {
    const batch = this.#open.get(signal) ?? this.#start(signal, request);
    batch.ids.add(id);
    if (batch.ids.size >= this.#maxIds) this.#open.delete(signal);
    return (await batch.values).get(id);
  }

  #start(signal: AbortSignal, request: RequestIds): OpenBatch {
    const ids = new Set<string>();
    const send = async (): Promise<ReadonlyMap<string, unknown>> => {
      await new Promise(setImmediate);
      if (this.#open.get(signal) === batch) this.#open.delete(signal);
      return request([...ids]);
    };
    const batch = { ids, values: send() };
    this.#open.set(signal, batch);
    return batch;
  }
}
