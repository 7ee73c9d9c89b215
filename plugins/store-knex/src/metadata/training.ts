import type { TrainedState } from '@trove/core/model';
import type { TrainingCatalog } from '@trove/core/store';

import { bytes, text } from '../database/values.js';
import type { StoreScope } from './scope.js';

const ofEmbedding = 'namespace = :namespace and embedding = :embedding';

export class SqlTraining implements TrainingCatalog {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  async currentId(embedding: string): Promise<string | null> {
    const { db, namespace } = this.#scope;
    const [row] = await db.all(`select id from trove_trained_states where ${ofEmbedding}`, {
      namespace,
      embedding,
    });
    return row === undefined ? null : text(row, 'id');
  }

  async get(embedding: string): Promise<TrainedState | null> {
    const { db, namespace } = this.#scope;
    const [row] = await db.all(`select id, state from trove_trained_states where ${ofEmbedding}`, {
      namespace,
      embedding,
    });
    return row === undefined ? null : { id: text(row, 'id'), state: bytes(row, 'state') };
  }

  replace(embedding: string, { id, state }: TrainedState, replaced: string | null): Promise<void> {
    const { db, namespace } = this.#scope;
    return db.write((session) => {
      // The database driver rejects memory shared between threads.
      const values = { namespace, embedding, id, state: Buffer.from(state) };
      if (replaced !== null) {
        return session.run(
          `update trove_trained_states set id = :id, state = :state where ${ofEmbedding} and id = :replaced`,
          { ...values, replaced },
        );
      }
      return session.run(
        `insert into trove_trained_states (namespace, embedding, id, state)
          values (:namespace, :embedding, :id, :state)
          on conflict (namespace, embedding) do nothing`,
        values,
      );
    });
  }
}
