import type { ConnectorSubject, KnownObject } from '@trove/testkit';
import { ObjectId, type Document } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { missingInDatabases, testConformance } from '@trove/test-support/conformance.js';
import { plugin, World } from './support.js';

const test = suite('mongo connector, conformance');
const reader = { password: '' };
const world = await World.make({ users: { reader } });
test.after(() => world.remove());

const odd = '50% off/#1 ? 😀 $.';
const oddFolder = '50%25 off%2F#1 ? 😀 $.';
const ada = new ObjectId('65f2a1b2c3d4e5f601020304');
const ben = new ObjectId('65f2a1b2c3d4e5f601020305');
const moved = new Date('2024-03-04T05:06:07.089Z');

const people: Document[] = [
  { _id: ada, name: 'Ada', note: 'likes .* and %_', updatedAt: moved, tags: ['a b', 'c'] },
  { _id: ben, name: 'Ben', note: null, updatedAt: moved },
];

const field = (path: string, percent: number, types: Record<string, number>): object => ({
  path,
  percent,
  types,
});
const ownIndex = [{ name: '_id_', unique: true, key: { _id: 1 } }];

const schemas = {
  'people/schema.json': {
    name: 'people',
    kind: 'collection',
    key: ['_id'],
    sampled: 2,
    fields: [
      field('_id', 100, { objectId: 100 }),
      field('name', 100, { string: 100 }),
      field('note', 100, { null: 50, string: 50 }),
      field('updatedAt', 100, { date: 100 }),
      field('tags', 50, { array: 50 }),
      field('tags[]', 50, { string: 50 }),
    ],
    indexes: [...ownIndex, { name: 'name_1', unique: true, key: { name: 1 } }],
    validator: { $jsonSchema: { required: ['name'] } },
  },
  [`${oddFolder}/schema.json`]: {
    name: odd,
    kind: 'collection',
    key: ['_id'],
    sampled: 3,
    fields: [
      field('_id', 100, { int: 33, object: 33, string: 33 }),
      field('"a.b"', 33, { string: 33 }),
      field('"$x"', 33, { string: 33 }),
      field('_id.n', 33, { int: 33 }),
      field('""', 33, { bool: 33 }),
    ],
    indexes: ownIndex,
  },
  'shown/schema.json': {
    name: 'shown',
    kind: 'view',
    key: null,
    sampled: 2,
    fields: [field('_id', 100, { objectId: 100 }), field('name', 100, { string: 100 })],
    indexes: [],
    of: 'people',
    pipeline: [{ $unset: ['note', 'updatedAt', 'tags'] }],
  },
};

const time = '2024-03-04T05:06:07.089Z';
const at = moved.getTime();
const adaKey = { _id: ada.toHexString() };
const benKey = { _id: ben.toHexString() };

const objects: KnownObject[] = [
  {
    path: 'people/documents.jsonl',
    records: [
      {
        key: adaKey,
        fields: {
          ...adaKey,
          name: 'Ada',
          note: 'likes .* and %_',
          updatedAt: time,
          tags: ['a b', 'c'],
        },
        title: 'Ada',
        at,
      },
      {
        key: benKey,
        fields: { ...benKey, name: 'Ben', note: null, updatedAt: time },
        title: 'Ben',
        at,
      },
    ],
  },
  {
    path: `${oddFolder}/documents.jsonl`,
    records: [
      { key: { _id: 7 }, fields: { _id: 7, 'a.b': 'x' } },
      { key: { _id: 'a' }, fields: { _id: 'a', $x: 'y' } },
      { key: { _id: '{"n":1}' }, fields: { _id: { n: 1 }, '': true } },
    ],
  },
  {
    path: 'shown/documents.jsonl',
    records: [
      {
        key: adaKey,
        fields: { ...adaKey, name: 'Ada' },
        title: 'Ada',
        at: ada.getTimestamp().getTime(),
      },
      {
        key: benKey,
        fields: { ...benKey, name: 'Ben' },
        title: 'Ben',
        at: ben.getTimestamp().getTime(),
      },
    ],
  },
  ...Object.entries(schemas).map(([path, schema]) => ({
    path,
    bytes: Buffer.from(`${JSON.stringify(schema, null, 2)}\n`),
  })),
];

function filesOf(folder: string): string[] {
  return [`${folder}/documents.jsonl`, `${folder}/schema.json`];
}

async function subject(): Promise<ConnectorSubject> {
  await world.clear();
  reader.password = 'secret';
  const { shop } = world;
  // MongoDB stores view definitions in a collection, and keeps it after they are dropped.
  shop.create('system.views');
  shop.create('people', 'collection', {
    validator: { $jsonSchema: { required: ['name'] } },
    indexes: [{ v: 2, name: 'name_1', unique: true, key: { name: 1 } }],
  });
  shop.put('people', people);
  shop.put(odd, [
    { _id: { n: 1 }, '': true },
    { _id: 7, 'a.b': 'x' },
    { _id: 'a', $x: 'y' },
  ]);
  shop.create('shown', 'view', {
    viewOn: 'people',
    pipeline: [{ $unset: ['note', 'updatedAt', 'tags'] }],
  });
  world.server.database('empty').create('system.views');
  return {
    plugin,
    target: world.target(),
    config: world.config,
    objects,
    absent: 'nothing here/schema.json',
    change: async (path) =>
      shop.put(path.startsWith('50') ? odd : 'people', [
        { _id: new ObjectId(), name: 'New', extra: 1 },
      ]),
    refused: [{ tls: 'maybe' }, { timeout_s: 0 }, { read_preference: 'any' }, { pasword: 'x' }],
    coupled: [['people', 'shown'].flatMap(filesOf), filesOf(oddFolder)],
    remove: async (path) => {
      for (const name of path.startsWith(oddFolder) ? [odd] : ['people', 'shown'])
        shop.collections.delete(name);
    },
    emptyTarget: world.target({ database: '/empty' }),
    changeRecords: async (path) => {
      if (!path.includes('people')) return;
      shop.put('people', [
        { ...people[0], name: 'Adam', updatedAt: new Date() },
        { _id: new ObjectId(), name: 'Cleo', updatedAt: new Date() },
      ]);
      shop.remove('people', { _id: ben });
    },
    replaceCredential: async () => {
      reader.password = 'another one';
      world.server.kill();
      return { ...reader };
    },
    unreachable: { config: { ...world.config, password: 'a very wrong secret' } },
    secret: 'a very wrong secret',
  };
}

await testConformance(test, async (work) => work(await subject()), [
  ...missingInDatabases,
  'addReply',
  'expireCursors',
  'moveFolder',
]);

test('sends no write commands to the server', () => {
  const asked = new Set(world.server.commands);
  for (const name of ['find', 'aggregate', 'listCollections', 'listIndexes'])
    assert.ok(asked.delete(name));
  const around = [
    'ismaster',
    'hello',
    'saslContinue',
    'ping',
    'endSessions',
    'killCursors',
    'getMore',
  ];
  assert.equal(
    [...asked].filter((name) => !around.includes(name)),
    [],
  );
});

test.run();
