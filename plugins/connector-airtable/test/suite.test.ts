// test-timeout: 300
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeAirtable, type FakeAirtable } from './fake.js';
import type { Row, Table } from './fake/world.js';
import { createCrm, dayMinutes, setAge, settingsFor } from './source.js';

const test = suite('Airtable connector, conformance');

function subjectOn(fake: FakeAirtable): ConnectorSubject {
  const { world } = fake;
  // The next sync counts all records, which finds deletions and late comments.
  setAge(fake, 2 * dayMinutes);
  const { base, contacts, deals } = createCrm(fake);
  const [ada, ben] = ['Ada 😀', 'Ben #1 100%'].map((name) =>
    world.createRow(contacts, { Name: name, Notes: `${name}\nsecond line with a word\nthird` }),
  );
  const deal = world.createRow(deals, { Title: 'Big', Status: 'Open', People: [ada?.id] });
  const comment = world.comment(deal, 'How big?');
  const added = ada === undefined || ben === undefined ? [] : [ada, ben];
  const config = settingsFor(fake);
  const secret = 'not-the-secret-of-anybody';
  const urlOf = (table: Table, row: Row): string =>
    `https://airtable.com/${base.id}/${table.id}/${row.id}`;
  const at = deal.createdAt;
  const dealFields = { Title: 'Big', Status: 'Open', People: ['Ada 😀'] };
  return {
    plugin,
    target: `airtable://${base.id}`,
    config,
    http: connectorHttp(),
    objects: [
      {
        path: 'contacts',
        records: added.map((row): SourceRecord => {
          const name = String(row.cells['Name']);
          const notes = String(row.cells['Notes']);
          return {
            key: { stream: 'records', id: row.id },
            fields: { Name: name, Notes: notes },
            title: name,
            text: `Name: ${name}\nNotes:\n${notes}`,
            at,
            url: urlOf(contacts, row),
            thread: row.id,
            threadFields: { Name: name, Notes: notes },
          };
        }),
      },
      {
        path: 'deals',
        records: [
          {
            key: { stream: 'records', id: deal.id },
            fields: dealFields,
            title: 'Big',
            text: 'Title: Big\nStatus: Open\nPeople: Ada 😀',
            at,
            url: urlOf(deals, deal),
            thread: deal.id,
            threadFields: dealFields,
          },
          {
            key: { stream: 'comments', id: `${deal.id}/${comment.id}` },
            fields: { type: 'comment' },
            text: 'How big?',
            at,
            author: 'Ann',
            url: urlOf(deals, deal),
            thread: deal.id,
          },
        ],
      },
    ],
    absent: 'nothing',
    changeRecords: (path) => {
      setAge(fake, 5);
      if (path === 'deals') {
        world.editRow(deal, { Status: 'Closed' });
        world.comments.delete(comment.id);
        world.comment(deal, 'Too big');
        world.createRow(deals, { Title: 'Small' });
      } else {
        for (const row of added.slice(1)) world.deleteRow(row);
        world.createRow(contacts, { Name: 'Cem' });
      }
      return Promise.resolve();
    },
    addReply: (path) => {
      setAge(fake, 5);
      const [row] = world.rowsOf(path === 'deals' ? deals.id : contacts.id);
      if (row !== undefined) world.comment(row, 'A late reply');
      return Promise.resolve();
    },
    checkpoints: true,
    replaceCredential: () => {
      world.tokens.clear();
      world.tokens.add('pat-2');
      return Promise.resolve({ token: 'pat-2' });
    },
    refused: [{}, { token: 'x', base_url: 'api.airtable.com' }, { token: 'x', comments: 'yes' }],
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeAirtable();
    await work(subjectOn(fake));
  },
  [
    'browse',
    'change',
    'emptyTarget',
    'expireAccess',
    'expireCursors',
    'grep',
    'moveFolder',
    'paths',
    'read',
    'remove',
    'since',
    'stat',
    'watch',
  ],
);

test.run();
