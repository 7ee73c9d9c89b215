import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { Command, type Finished } from './support/command.js';

const test = suite('trove-server alerts test');

/** Runs the command with a configuration file. */
function testAlerts(settings: string, env: Record<string, string> = {}): Promise<Finished> {
  return withFolder(async (folder) => {
    const config = join(folder, 'server.toml');
    await writeFile(config, settings);
    const home = { TROVE_HOME: join(folder, 'home') };
    const args = ['alerts', 'test', '--config', config];
    return new Command(args, { cwd: folder, env: { ...home, ...env } }).finished;
  });
}

test('sends a test alert to the webhook that a reference names', async () => {
  const bodies: string[] = [];
  await using server = await listen((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      bodies.push(text);
      response.writeHead(request.url === '/good' ? 200 : 410).end();
    })();
  });
  const settings = '[alerts]\nwebhook = "env:ALERT_WEBHOOK"\nurl = "https://trove.example"\n';
  const good = await testAlerts(settings, { ALERT_WEBHOOK: `${server.origin}/good` });
  assert.is(good.code, 0, good.stderr);
  assert.match(good.stdout, 'The webhook accepted the test alert.');
  const { event, code, url } = JSON.parse(bodies[0] ?? '');
  assert.equal([event, code], ['source_failing', 'alert_test']);
  assert.match(url, 'https://trove.example/#/source?root=');
  const gone = await testAlerts(settings, { ALERT_WEBHOOK: `${server.origin}/secret` });
  assert.is(gone.code, 1);
  assert.match(gone.stderr, 'webhook: The webhook answered with HTTP 410.');
  assert.match(gone.stderr, 'Correct [alerts] in server.toml or the receiver.');
  assert.not.match(gone.stderr, 'secret');
});

test('explains how to configure a receiver', async () => {
  const { code, stderr } = await testAlerts('');
  assert.is(code, 2);
  assert.match(stderr, 'alerts: no receiver is configured');
  assert.match(stderr, 'Set `webhook` or `command` in [alerts]');
});

test.run();
