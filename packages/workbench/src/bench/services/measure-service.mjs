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
  onedrive: '500 files in 10 folders',
  sharepoint: 'a site with 500 files in 10 folders of a library',
  outlook: '500 messages in 2 folders, 10 of them with an attachment',
  gmail: '500 messages, 10 of them with an attachment',
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
    await jobEnded(client, await add(client, target, { config }));
    syncs.push(await fake.requests());
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
    // Without the check by `add`.
    requests: syncs.map(({ length }) => length - 1),
    twice: syncs.flatMap(repeated),
  };
}

/** Returns requests that were sent more than once, except checks of the login, which `add` and each sync begin with. */
function repeated(requests) {
  const texts = requests.map(({ text }) => text);
  const found = new Set(texts.filter((text, at) => texts.indexOf(text) !== at));
  found.delete(checkOf(texts));
  return [...found];
}

/** The first request that is sent again. Only a request for a token may precede it. */
function checkOf(texts) {
  return texts.find((text, at) => texts.indexOf(text, at + 1) !== -1);
}
