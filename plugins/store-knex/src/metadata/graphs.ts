import { TroveError } from '@trove/core';
import type {
  GraphContent,
  GraphRecord,
  GraphCatalog,
  ObsoleteGraphGeneration,
} from '@trove/core/store';

import type { Database, Row, StoreSession } from '../database/types.js';
import { number, text } from '../database/values.js';
import type { StoreScope } from './scope.js';

const current = `select graph, generation, content, built_at from trove_graph_generations
  where namespace = :namespace and status = 'current'`;

export class SqlGraphs implements GraphCatalog {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  async list(): Promise<GraphRecord[]> {
    const { db, namespace } = this.#scope;
    const found = await db.all(`${current} order by graph`, { namespace });
    return found.map(graphOf);
  }

  async get(graph: string): Promise<GraphRecord | null> {
    const { db, namespace } = this.#scope;
    const [row] = await db.all(`${current} and graph = :graph`, { namespace, graph });
    return row === undefined ? null : graphOf(row);
  }

  stage(graph: string, generation: string, leaseMs: number): Promise<void> {
    return stage(this.#scope, graph, generation, leaseMs);
  }

  async stagedGeneration(graph: string): Promise<string | null> {
    const { db, namespace } = this.#scope;
    const [row] = await db.all(
      `select generation from trove_graph_generations
        where namespace = :namespace and graph = :graph and status = 'staged'
          and lease_until > ${db.dialect.now}`,
      { namespace, graph },
    );
    return row === undefined ? null : text(row, 'generation');
  }

  renew(graph: string, generation: string, leaseMs: number): Promise<boolean> {
    const { now } = this.#scope.db.dialect;
    return whileHeld(this.#scope, graph, generation, (session, seq) =>
      session.run(
        `update trove_graph_generations set lease_until = ${now} + :leaseMs where seq = :seq`,
        {
          seq,
          leaseMs: Math.round(leaseMs),
        },
      ),
    );
  }

  promote(graph: string, generation: string, content: GraphContent): Promise<boolean> {
    const { now } = this.#scope.db.dialect;
    return whileHeld(this.#scope, graph, generation, async (session, seq) => {
      await markObsolete(session, this.#scope, graph);
      await session.run(
        `update trove_graph_generations set status = 'current', lease_until = null,
            content = :content, built_at = ${now} where seq = :seq`,
        { seq, content: JSON.stringify(content) },
      );
    });
  }

  empty(graph: string, generation: string): Promise<boolean> {
    return whileHeld(this.#scope, graph, generation, (session) =>
      markObsolete(session, this.#scope, graph),
    );
  }

  async abandon(graph: string, generation: string): Promise<void> {
    await whileHeld(this.#scope, graph, generation, (session, seq) =>
      session.run(`update trove_graph_generations set status = 'obsolete' where seq = :seq`, {
        seq,
      }),
    );
  }

  async obsoleteGenerations(): Promise<ObsoleteGraphGeneration[]> {
    const { db, namespace } = this.#scope;
    const found = await db.all(
      `select graph, generation from trove_graph_generations where ${isObsolete(db)} order by seq`,
      { namespace },
    );
    return found.map((row) => ({
      graph: text(row, 'graph'),
      generation: text(row, 'generation'),
    }));
  }

  deleteGeneration(generation: string): Promise<void> {
    const { db, namespace } = this.#scope;
    return db.write((session) =>
      session.run(
        `delete from trove_graph_generations where generation = :generation and ${isObsolete(db)}`,
        { namespace, generation },
      ),
    );
  }
}

function isObsolete({ dialect }: Database): string {
  return `namespace = :namespace
    and (status = 'obsolete' or (status = 'staged' and lease_until <= ${dialect.now}))`;
}

async function stage(
  { db, namespace }: StoreScope,
  graph: string,
  generation: string,
  leaseMs: number,
): Promise<void> {
  const { now } = db.dialect;
  await db.write(async (session) => {
    await session.run(
      `update trove_graph_generations set status = 'obsolete'
        where namespace = :namespace and graph = :graph and status = 'staged'
          and lease_until <= ${now}`,
      { namespace, graph },
    );
    const staged = await session.change(
      `insert into trove_graph_generations (namespace, graph, generation, status, lease_until)
        values (:namespace, :graph, :generation, 'staged', ${now} + :leaseMs)
        on conflict (namespace, graph) where status = 'staged' do nothing`,
      { namespace, graph, generation, leaseMs: Math.round(leaseMs) },
    );
    if (staged === 0) {
      throw new TroveError('graph_busy', `The graph ${graph} is being built or deleted`);
    }
  });
}

/** Runs a change while the lease is held. Returns false when it is lost. */
function whileHeld(
  { db, namespace }: StoreScope,
  graph: string,
  generation: string,
  change: (session: StoreSession, seq: number) => Promise<void>,
): Promise<boolean> {
  return db.write(async (session) => {
    const [held] = await session.all(
      `select seq from trove_graph_generations
        where namespace = :namespace and graph = :graph and generation = :generation
          and status = 'staged' and lease_until > ${db.dialect.now} ${db.dialect.lock}`,
      { namespace, graph, generation },
    );
    if (held === undefined) return false;
    await change(session, number(held, 'seq'));
    return true;
  });
}

function markObsolete(
  session: StoreSession,
  { namespace }: StoreScope,
  graph: string,
): Promise<void> {
  return session.run(
    `update trove_graph_generations set status = 'obsolete'
      where namespace = :namespace and graph = :graph and status = 'current'`,
    { namespace, graph },
  );
}

function graphOf(row: Row): GraphRecord {
  const content: GraphContent = JSON.parse(text(row, 'content'));
  return {
    ...content,
    name: text(row, 'graph'),
    generation: text(row, 'generation'),
    builtAt: number(row, 'built_at'),
  };
}
