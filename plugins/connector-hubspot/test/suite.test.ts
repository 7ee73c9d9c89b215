import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { startFakeHubspot, type FakeHubspot } from './fake.js';
import { configOf, hourMs } from './support.js';

const test = suite('hubspot connector, conformance');

/** The properties with the title and the text of each kind, and its number in addresses. */
const members: Readonly<Record<string, readonly [title: string, text: string, number: string]>> = {
  deals: ['dealname', '', '0-3'],
  contacts: ['firstname', '', '0-1'],
  companies: ['name', '', '0-2'],
  tickets: ['subject', 'content', '0-5'],
  notes: ['', 'hs_note_body', ''],
  emails: ['hs_email_subject', 'hs_email_text', ''],
  calls: ['hs_call_title', 'hs_call_body', ''],
  meetings: ['hs_meeting_title', 'hs_meeting_body', ''],
  tasks: ['hs_task_subject', 'hs_task_body', ''],
};

function propertiesOf(kind: string, word: string): Readonly<Record<string, string>> {
  const [title = '', text = ''] = members[kind] ?? [];
  return {
    ...(title === '' ? {} : { [title]: word }),
    ...(text === '' ? {} : { [text]: `About ${word}` }),
    ...(kind === 'emails' ? { hs_email_thread_id: `t${word.length}` } : {}),
  };
}

/** The records that the connector makes of a kind. */
function recordsOf({ world }: FakeHubspot, kind: string): SourceRecord[] {
  const [title = '', text = '', number = ''] = members[kind] ?? [];
  return world.list(kind, false).map(({ id, properties, createdAt }): SourceRecord => {
    const value = (name: string): string => properties[name] ?? '';
    return {
      key: { id },
      fields: {
        ...(text === '' ? { [title]: value(title) } : {}),
        ...(number === '' ? {} : { createdate: new Date(createdAt).toISOString() }),
      },
      at: createdAt,
      ...(title === '' ? {} : { title: value(title) }),
      ...(text === '' ? {} : { text: value(text) }),
      ...(number === ''
        ? {}
        : { url: `https://app-eu1.hubspot.com/contacts/42/record/${number}/${id}` }),
      ...(kind === 'emails' ? { thread: value('hs_email_thread_id') } : {}),
    };
  });
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using fake = await startFakeHubspot();
  const { world } = fake;
  for (const kind of Object.keys(members))
    for (const word of ['Rocket 100% #1', 'Map ✨', 'Lamp'])
      world.create(kind, propertiesOf(kind, word));
  world.advance(hourMs);
  await work(subjectOf(fake));
}

function subjectOf(fake: FakeHubspot): ConnectorSubject {
  const { world } = fake;
  const config = configOf(fake);
  const secret = `secret-${randomUUID()}`;
  const recordAt = (kind: string, at: number): string => world.list(kind, false)[at]?.id ?? '';
  return {
    plugin,
    target: 'hubspot://acme',
    config,
    refused: [{}, { ...config, base_url: 'nowhere' }, { ...config, properties: { leads: ['a'] } }],
    http: connectorHttp(),
    objects: Object.keys(members).map((path) => ({ path, records: recordsOf(fake, path) })),
    absent: 'leads',
    checkpoints: true,
    addReply: async () => {
      world.create('emails', propertiesOf('emails', 'Rocket 100% #1'));
    },
    changeRecords: async (path) => {
      world.edit(recordAt(path, 0), propertiesOf(path, 'Something else'));
      world.archive(recordAt(path, 1));
      world.create(path, propertiesOf(path, 'New'));
    },
    replaceCredential: async () => {
      world.tokens.clear();
      world.tokens.add('new');
      return { token: 'new' };
    },
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

await testConformance(test, withSubject, [
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
]);

test.run();
