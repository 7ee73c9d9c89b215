// test-timeout: 600
// test-slow
// test-waits
import { MetadataDatabase } from '@trove/test-support/metadata-database.js';
import type { GenerationSpec, MetadataStore } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { metadataStoreCases, type MetadataStoreSubject } from '../src/index.js';
import { metadataStoreMutants, type Mutant, type WrongMethods } from './mutants/metadata/index.js';

const test = suite('metadata store mutants');
const concurrency = 8;

/** Breaks the stores of a database. The stores of one generation of a namespace share one mutant. */
function mutated(database: MetadataDatabase, mutant: Mutant): MetadataStoreSubject {
  const wrongMethods = new Map<string, Promise<WrongMethods>>();
  const breakMethods = async (
    namespace: string,
    generation?: GenerationSpec,
  ): Promise<WrongMethods> =>
    mutant(await database.open(namespace, generation), database, generation);
  return {
    open: async (namespace = 'default', generation) => {
      const good = await database.open(namespace, generation);
      const key = `${namespace} ${generation?.embedding}`;
      const wrong = wrongMethods.get(key) ?? breakMethods(namespace, generation);
      wrongMethods.set(key, wrong);
      return replacing(good, await wrong);
    },
  };
}

/** Returns the good store with some methods replaced while it is open. */
function replacing(good: MetadataStore, wrong: WrongMethods): MetadataStore {
  let closed = false;
  const over = <T extends object>(right: T, wrongMethods: object): T =>
    new Proxy(right, {
      get: (target, name): unknown => {
        const isWrong = name in wrongMethods && (!closed || 'close' in wrong);
        if (isWrong) return Reflect.get(wrongMethods, name);
        const method: unknown = Reflect.get(target, name);
        return typeof method === 'function' ? method.bind(target) : method;
      },
    });
  const whole = over(good, wrong);
  return new Proxy(good, {
    get: (target, name): unknown => {
      if (name === 'close') closed = true;
      const right: unknown = Reflect.get(target, name);
      const isPart = typeof right === 'object' && right !== null;
      return isPart ? over(right, Object(Reflect.get(wrong, name))) : Reflect.get(whole, name);
    },
  });
}

/** Ignores the namespace, except for the store's id. */
function withoutNamespaces(database: MetadataDatabase): MetadataStoreSubject {
  return {
    open: async (namespace = 'default', generation) => {
      const { id } = await database.open(namespace, generation);
      return replacing(await database.open('default', generation), { id });
    },
  };
}

interface Run {
  readonly id: string;
  /** Undefined when the case found nothing. */
  readonly failure: unknown;
  /** Errors of the statements of the mutant itself. They would make any case fail. */
  readonly errors: readonly unknown[];
}

async function runCase({ id, run }: (typeof metadataStoreCases)[number]): Promise<Run> {
  const database = new MetadataDatabase();
  const errors: unknown[] = [];
  const query = database.query.bind(database);
  database.query = (...statement) =>
    query(...statement).catch((error: unknown) => {
      errors.push(error);
      throw error;
    });
  const mutant = metadataStoreMutants[id];
  try {
    await run(mutant === undefined ? withoutNamespaces(database) : mutated(database, mutant));
    return { id, failure: undefined, errors };
  } catch (failure) {
    return { id, failure, errors };
  } finally {
    await database.close();
  }
}

/** Most of the time is spent waiting for leases, so several cases run at once. */
const runs = new Map<string, Run>();
test.before(async () => {
  const waiting = [...metadataStoreCases];
  const work = async (): Promise<void> => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      runs.set(each.id, await runCase(each));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
});

for (const { id } of metadataStoreCases) {
  test(`${id} finds its mutant`, () => {
    assert.ok(id in metadataStoreMutants || id === 'namespaces-apart', 'there is a mutant');
    const run = runs.get(id);
    assert.equal(run?.errors, [], 'statements of the mutant fail');
    // Cases throw plain errors. Any other class means that the mutant itself crashed.
    assert.is(Object(run?.failure).constructor, Error, String(run?.failure));
  });
}

test('has a case for each mutant', () => {
  const ids = new Set(metadataStoreCases.map(({ id }) => id));
  assert.equal(
    Object.keys(metadataStoreMutants).filter((id) => !ids.has(id)),
    [],
  );
});

test.run();
