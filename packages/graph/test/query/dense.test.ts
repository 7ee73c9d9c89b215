import { defineEmbedder } from '@trove/core/model';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { World } from '../support/world.js';

const test = suite('meaning');

function vectorOf(text: string): number[] {
  if (/car|automobile/u.test(text)) return [1, 0];
  return text.includes('vehicle') ? [0.96, 0.28] : [0, 1];
}

/** An embedder that treats a car as an automobile, similar to a vehicle, and knows no other words. */
const embedder = defineEmbedder({
  keys: ['meaning'],
  configSchema: { type: 'object', properties: {} },
  create: () => ({
    model: 'meaning',
    dimension: 2,
    nature: 'semantic',
    embed: async (texts) => texts.map((text) => new Float32Array(vectorOf(text))),
  }),
});

test('finds documents by meaning, and by fields named like index columns', async () => {
  const { graphs, close } = await new World().open({}, { embedder });
  await graphs.addDocuments('g', {
    documents: ['Bread and butter.', 'The red car.', 'Another blue car.'],
    ids: ['bread', 'red', 'blue'],
    metadatas: [{ media_type: 'x' }, { media_type: 'x' }, { media_type: 'y' }],
    extract_triplets: false,
  });
  const { documents } = await graphs.documents({ graph_name: 'g', query: 'automobile' });
  assert.equal(
    documents
      .slice(0, 2)
      .map(({ id }) => id)
      .sort(),
    ['blue', 'red'],
  );
  const filter = "media_type = 'x'";
  const { retrieved_passages: found } = await graphs.query('g', {
    question: 'automobile?',
    filter,
  });
  assert.is(found[0]?.id, 'red');
  assert.not(found.some(({ id }) => id === 'blue'));
  await close();
});

test('finds the only match by meaning among many closer documents', async () => {
  const { graphs, close } = await new World().open({}, { embedder });
  const cars = Array.from({ length: 2100 }, (_, n) => `Car number ${n}: car.`);
  await graphs.addDocuments('g', {
    documents: [...cars, 'A vehicle of another kind.'],
    metadatas: [...cars.map(() => ({ title: 'Cars', path: 'a' })), { title: 'Other', path: 'b' }],
    extract_triplets: false,
  });
  for (const filter of ["title = 'Other'", "path = 'b' and not title = 'Cars'"]) {
    const { retrieved_passages: found } = await graphs.query('g', {
      question: 'automobile?',
      filter,
    });
    assert.equal(
      found.map(({ text }) => text),
      ['A vehicle of another kind.'],
      filter,
    );
  }
  await close();
});

test('filters by any of many fields', async () => {
  const { graphs, close } = await new World().open();
  const names = Array.from({ length: 1500 }, (_, n) => `field${n}`);
  await graphs.addDocuments('g', {
    documents: names.map((name) => `The text of ${name}.`),
    metadatas: names.map((name) => ({ [name]: true })),
    extract_triplets: false,
  });
  const request = { question: 'text of field1499', filter: 'field1499 = true' };
  const { retrieved_passages: found } = await graphs.query('g', request);
  assert.equal(
    found.map(({ text }) => text),
    ['The text of field1499.'],
  );
  await close();
});

test.run();
