import { TroveError } from '@trove/core';
import type { GraphContent, GraphRecord, GraphCatalog } from '@trove/core/store';

import type { Row, Session } from '../database/types.js';
import { number, text } from '../database/values.js';
import type { Scope } from './scope.js';

const columns = 'graph, generation, content, built_at';

export function graphMethods(scope: Scope): GraphCatalog {
  const { db, namespace } = scope;
  const { now } = db.dialect;
  const current = `select ${columns} from trove_generations
    where namespace = :namespace and status = 'current'`;
  const obsolete = `namespace = :namespace
    and (status = 'obsolete' or (status = 'staged' and lease_until <= ${now}))`;
  return {
    graphs: async () => {
      const found = await db.all(`${current} order by graph`, { namespace });
      return found.map(graphOf);
    },
    graph: async (graph) => {
      const [row] = await db.all(`${current} and graph = :graph`, { namespace, graph });
      return row === undefined ? null : graphOf(row);
    },
    stageGraph: (graph, generation, leaseMs) => stage(scope, graph, generation, leaseMs),
    stagedGeneration: async (graph) => {
      const [row] = await db.all(
        `select generation from trove_generations
          where namespace = :namespace and graph = :graph and status = 'staged'
            and lease_until > ${now}`,
        { namespace, graph },
      );
      return row === undefined ? null : text(row, 'generation');
    },
    renewGraph: (graph, generation, leaseMs) =>
      whileHeld(scope, graph, generation, (session, seq) =>
        session.run(
          `update trove_generations set lease_until = ${now} + :leaseMs where seq = :seq`,
          { seq, leaseMs: Math.round(leaseMs) },
        ),
      ),
    switchGraph: (graph, generation, content) =>
      whileHeld(scope, graph, generation, async (session, seq) => {
        await outdate(session, scope, graph);
        await session.run(
          `update trove_generations set status = 'current', lease_until = null,
              content = :content, built_at = ${now} where seq = :seq`,
          { seq, content: JSON.stringify(content) },
        );
      }),
    emptyGraph: (graph, generation) =>
      whileHeld(scope, graph, generation, (session) => outdate(session, scope, graph)),
    abandonGraph: async (graph, generation) => {
      await whileHeld(scope, graph, generation, (session, seq) =>
        session.run(`update trove_generations set status = 'obsolete' where seq = :seq`, { seq }),
      );
    },
    obsoleteGenerations: async () => {
      const found = await db.all(
        `select graph, generation from trove_generations where ${obsolete} order by seq`,
        { namespace },
      );
      return found.map((row) => ({
        graph: text(row, 'graph'),
        generation: text(row, 'generation'),
      }));
    },
    forgetGeneration: (generation) =>
      db.write((session) =>
        session.run(
          `delete from trove_generations where generation = :generation and ${obsolete}`,
          { namespace, generation },
        ),
      ),
  };
}

async function stage(
  { db, namespace }: Scope,
  graph: string,
  generation: string,
  leaseMs: number,
): Promise<void> {
  const { now } = db.dialect;
  await db.write(async (session) => {
    await session.run(
      `update trove_generations set status = 'obsolete'
        where namespace = :namespace and graph = :graph and status = 'staged'
          and lease_until <= ${now}`,
      { namespace, graph },
    );
    const staged = await session.change(
      `insert into trove_generations (namespace, graph, generation, status, lease_until)
        values (:namespace, :graph, :generation, 'staged', ${now} + :leaseMs)
        on conflict (namespace, graph) where status = 'staged' do nothing`,
      { namespace, graph, generation, leaseMs: Math.round(leaseMs) },
    );
    if (staged === 0) {
      throw new TroveError('graph_busy', `The graph ${graph} is being built or deleted`);
    }
  });
}

/** Runs a change for who holds the lease; false when it is lost. */
function whileHeld(
  { db, namespace }: Scope,
  graph: string,
  generation: string,
  change: (session: Session, seq: number) => Promise<void>,
): Promise<boolean> {
  return db.write(async (session) => {
    const [held] = await session.all(
      `select seq from trove_generations
        where namespace = :namespace and graph = :graph and generation = :generation
          and status = 'staged' and lease_until > ${db.dialect.now} ${db.dialect.lock}`,
      { namespace, graph, generation },
    );
    if (held === undefined) return false;
    await change(session, number(held, 'seq'));
    return true;
  });
}

function outdate(session: Session, { namespace }: Scope, graph: string): Promise<void> {
  return session.run(
    `update trove_generations set status = 'obsolete'
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
