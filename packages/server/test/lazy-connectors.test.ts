import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '@trove/test-support/listen.js';
import { add, call } from './faults/support/api.js';
import { World } from './faults/support/world.js';

const test = suite('connectors of web services in a server');
const kit = '/connector-kit/dist/http/';
const services = [
  'airtable',
  'asana',
  'azure',
  'bigquery',
  'confluence',
  'discord',
  'feishu',
  'gdrive',
  'github',
  'gitlab',
  'gmail',
  'hubspot',
  'intercom',
  'jira',
  'linear',
  'msgraph',
  'notion',
  'rss',
  'sftp',
  'slack',
  'snowflake',
  'webdav',
  'zendesk',
];

/** Returns options for Node that write the address of each loaded module to a file. */
function recordingOptions(file: string): string {
  const hook = `import { appendFileSync } from 'node:fs';
    export const load = (url, context, next) => {
      appendFileSync(${JSON.stringify(file)}, url + '\\n');
      return next(url, context);
    };`;
  const inData = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const registration = `import { register } from 'node:module'; register(${JSON.stringify(inData(hook))});`;
  return `--import ${inData(registration)}`;
}

test('are loaded when their scheme is first used, and not at the start', async () => {
  const world = await World.make();
  const file = world.path('modules.txt');
  await using service = await listen((_request, response) => response.writeHead(401).end('{}'));
  try {
    const server = world.run('home', { NODE_OPTIONS: recordingOptions(file) });
    const url = await server.url();
    await call(url, '/v1/status');
    const loaded = async (): Promise<string[]> => {
      const modules = await readFile(file, 'utf8');
      assert.match(modules, '/packages/server/bundle/');
      return services.filter((name) => modules.includes(`/connector-${name}/`));
    };
    assert.equal(await loaded(), []);
    assert.not.match(await readFile(file, 'utf8'), kit);
    const config = { base_url: service.origin, token: 'wrong' };
    const refused = await add(url, 'gitlab://acme/tools', { config }).catch(String);
    assert.match(refused, 'connector_unhealthy');
    assert.equal(await loaded(), ['gitlab']);
    assert.match(await readFile(file, 'utf8'), kit);
  } finally {
    await world.remove();
  }
});

test.run();
