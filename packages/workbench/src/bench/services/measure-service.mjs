import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FakeProcess } from '@trove/test-support/fake-process.js';
import { startServer } from '../../lib/server.mjs';
import { connect } from '../client.mjs';
import { add, jobEnded } from '../measure/indexing.mjs';

/** The connectors with a fake service, and what the fake has. */
export const services = {
  github: '450 issues, 50 pull requests, 201 comments, 5 releases',
  gitlab: '450 issues, 50 merge requests, 50 issues with a comment, 5 releases',
  slack: '3 channels, 450 messages, 30 of them with 3 replies; without files',
  discord: '3 channels, 450 messages, 30 threads of 3 messages',
  jira: 'a project with 500 issues, 200 comments and 5 attachments',
  confluence: 'a space with 500 pages, 100 comments and 5 attachments',
  notion: '400 pages, 50 comments, a database with 100 rows',
  linear: '500 issues, 200 comments, 10 projects with an update each, 50 documents',
  gdrive: '500 files in 10 folders',
  hubspot: '400 contacts of 50 companies, 100 deals and 50 notes',
  zendesk: '500 tickets with 700 comments, and 100 articles',
  asana: '500 tasks with 200 comments and 50 subtasks in 10 projects',
  intercom: '300 conversations with 600 replies, 200 tickets with an answer, and 100 articles',
  onedrive: '500 files in 10 folders',
  sharepoint: 'a site with 500 files in 10 folders of a library',
  outlook: '500 messages in 2 folders, 10 of them with an attachment',
  gmail: '500 messages, 10 of them with an attachment',
  bigquery: '10 tables of 1,000 rows, a table with 30 partitions, a view',
  snowflake: '10 tables of 1,000 rows, a view',
  airtable: '500 contacts, 500 deals that link to them, 50 comments',
  feishu: '3 chats with 450 messages and 30 topics, a wiki of 100 pages',
};

/** The packages of connectors that have another name. */
const packages = { onedrive: 'msgraph', sharepoint: 'msgraph', outlook: 'msgraph' };

/**
 * Calls `use` with a function that syncs the fake of a service three times with a server: first, without a change, and
 * after one change. It returns `{ requests, twice }`: the number of requests of each sync, and the requests that one sync
 * sent more than once.
 */
export async function withServices(home, use) {
  const server = await startServer(home);
  const client = connect(server.endpoint, readFileSync(join(home, 'server.token'), 'utf8').trim());
  try {
    await use((name) => measureService(client, name));
  } finally {
    client.close();
    await server.stop();
  }
}

async function measureService(client, name) {
  const fake = await FakeProcess.start(packages[name] ?? name, name);
  const { target, config } = fake.source;
  const syncs = [];
  const sync = async () => {
    await fake.step('forget');
    // `add` begins with the same check.
    await client.post('/v1/connectors/probe', { target, config });
    const check = await fake.requests();
    await fake.step('forget');
    await jobEnded(client, await add(client, target, { config }));
    syncs.push({ check, all: await fake.requests() });
  };
  try {
    await fake.step('fill');
    await sync();
    await sync();
    await fake.step('change');
    await sync();
  } finally {
    await fake.stop();
  }
  return {
    requests: syncs.map(({ check, all }) => all.length - check.length),
    twice: syncs.flatMap(repeated),
  };
}

/** Returns requests that a sync sent more than once, except checks of the login, with which it may begin. */
function repeated({ check, all }) {
  const texts = all.map(({ text }) => text);
  for (const { text } of check) if (texts.includes(text)) texts.splice(texts.indexOf(text), 1);
  const found = new Set(texts.filter((text, at) => texts.indexOf(text) !== at));
  for (const { text } of check.slice(0, 2)) found.delete(text);
  return [...found];
}
