// test-slow
// test-timeout: 120
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testUnless } from '@trove/test-support/skips.js';
import { missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { runSuite, suitePackage, type SuiteCheck } from './support/conformance-suite.js';
import { startFixtureHost } from './support/fixture-host.js';

/*
 * The protocol's conformance suite, with the wire of 2025-11-25 and Trove's endpoint. Its server scenarios need tools, prompts and
 * resources of certain names, which only this server has.
 */

const test = suite('conformance to the protocol of 2025-11-25');

const required = [
  'server-initialize',
  'ping',
  'logging-set-level',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
];

const noSessions =
  'Trove answers each request without a session, so a server cannot ask the client anything.';
const noUpdates = 'Without a session, there is no stream on which to announce an update.';

/** Scenarios of features that Trove does not offer, with the reason. */
const notOffered: Readonly<Record<string, string>> = {
  'tools-call-sampling': noSessions,
  'tools-call-elicitation': noSessions,
  'elicitation-sep1034-defaults': noSessions,
  'elicitation-sep1330-enums': noSessions,
  'resources-subscribe': noUpdates,
  'resources-unsubscribe': noUpdates,
  'server-sse-polling': 'Without a session, there is no stream to resume.',
  'server-sse-multiple-streams':
    'The scenario needs a session. The tests of 2026-07-28 check concurrent streams.',
  'json-schema-2020-12':
    'The suite does not require it. Trove omits keywords from schemas that only refuse values.',
};

let results: ReadonlyMap<string, readonly SuiteCheck[]> = new Map();
const missing = missingVendorClient(suitePackage);

test.before(async () => {
  if (missing !== null) return;
  const host = await startFixtureHost();
  try {
    results = await withFolder((folder) => runSuite(`${host.url}/mcp`, folder));
  } finally {
    await host.close(0);
  }
});

for (const scenario of required)
  testUnless(missing, test)(`passes ${scenario}`, () => {
    const checks = results.get(scenario) ?? [];
    assert.ok(
      checks.some(({ status }) => status === 'SUCCESS'),
      'no check succeeded',
    );
    assert.equal(problemsOf(checks), []);
  });

testUnless(missing, test)('knows every scenario of the suite', () => {
  assert.equal([...results.keys()].sort(), [...required, ...Object.keys(notOffered)].sort());
});

testUnless(missing, test)('offers nothing that it claims not to offer', () => {
  for (const [scenario, reason] of Object.entries(notOffered)) {
    console.log(`not offered: ${scenario}: ${reason}`);
    assert.not.equal(problemsOf(results.get(scenario) ?? []), [], scenario);
  }
});

function problemsOf(checks: readonly SuiteCheck[]): readonly string[] {
  return checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ id, status, errorMessage }) => `${id}: ${status}: ${errorMessage ?? ''}`);
}

test.run();
