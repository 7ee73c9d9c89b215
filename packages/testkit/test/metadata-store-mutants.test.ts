// test-timeout: 600
// test-slow
// test-waits
import { setImmediate } from 'node:timers/promises';

import type { GenerationSpec, MetadataStore } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { metadataStoreCases, type MetadataStoreSubject } from '../src/index.js';
import { generationIn, emptyMetadata, type Metadata } from '../src/memory/metadata/data.js';
import { openMetadata } from '../src/memory/metadata/open.js';
import { metadataStoreMutants, type Mutant, type WrongMethods } from './mutants/metadata/index.js';

const test = suite('metadata store mutants');

/** Mutates each namespace's stores alike. */
function mutated(mutant: Mutant): MetadataStoreSubject {
  const namespaces = new Map<string, (edition?: GenerationSpec) => MetadataStore>();
  return {
    open: async (namespace = 'default', edition) => {
      const open = namespaces.get(namespace) ?? mutatedStores(mutant);
      namespaces.set(namespace, open);
      return open(edition);
    },
  };
}

/** Each edition of a namespace. */
function mutatedStores(mutant: Mutant): (edition?: GenerationSpec) => MetadataStore {
  const all: Metadata[] = [];
  const wrongOnes = new Map<Metadata, WrongMethods>();
  return (edition) => {
    const data = generationIn(all, edition);
    const wrong = wrongOnes.get(data) ?? mutant(openMetadata(data), data);
    wrongOnes.set(data, wrong);
    return replacing(openMetadata(data), wrong);
  };
}

/** The good store with some methods replaced, as long as it is open. */
function replacing(good: MetadataStore, wrong: WrongMethods): MetadataStore {
  let closed = false;
  const over = <T extends object>(right: T, wrongMethods: object): T =>
    new Proxy(right, {
      get: (target, name): unknown => {
        const isWrong = name in wrongMethods && (!closed || 'close' in wrong);
        return Reflect.get(isWrong ? wrongMethods : target, name);
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

/** Forgets the namespace, in everything but the store's id. */
function withoutNamespaces(): MetadataStoreSubject {
  const all: Metadata[] = [];
  const ids = new Map<string, MetadataStore>();
  return {
    open: async (namespace = 'default', edition) => {
      const own = ids.get(namespace) ?? openMetadata(emptyMetadata());
      ids.set(namespace, own);
      return replacing(openMetadata(generationIn(all, edition)), { id: () => own.id() });
    },
  };
}

interface Run {
  /** Of cases that fail. */
  readonly failed: string[];
  readonly ended: Promise<unknown>;
}

/** Begins all cases, one after the other; those that wait for time to pass wait together. */
async function begun(subject: () => MetadataStoreSubject): Promise<Run> {
  const failed: string[] = [];
  const running: Promise<void>[] = [];
  for (const each of metadataStoreCases) {
    const run = each.run(subject()).catch(() => void failed.push(each.id));
    running.push(run);
    await Promise.race([run, setImmediate()]);
  }
  return { failed, ended: Promise.all(running) };
}

/** One mutant begins after the other, which keeps memory small, and all of them wait together, which takes most of the time. */
const runs = new Map<string, Run>();
test.before(async () => {
  for (const { id } of metadataStoreCases) {
    const mutant = metadataStoreMutants[id];
    runs.set(id, await begun(mutant === undefined ? withoutNamespaces : () => mutated(mutant)));
  }
});

for (const { id } of metadataStoreCases) {
  test(`only ${id} finds its mutant`, async () => {
    assert.ok(id in metadataStoreMutants || id === 'namespaces-apart', 'there is a mutant');
    const run = runs.get(id);
    await run?.ended;
    assert.equal(run?.failed, [id]);
  });
}

test('there is a case for each mutant', () => {
  const ids = new Set(metadataStoreCases.map(({ id }) => id));
  assert.equal(
    Object.keys(metadataStoreMutants).filter((id) => !ids.has(id)),
    [],
  );
});

test.run();
