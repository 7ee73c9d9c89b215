import {
  connectorCases,
  selectConnectorCases,
  type ConnectorNeed,
  type ConnectorSubject,
} from '@trove/testkit';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';

/** The reason to skip cases for contents that a subject lacks. */
type SkipReason = `the subject has no ${string}`;

/** Needs that no source with records in a database and literal search has. */
export const missingInDatabases: readonly ConnectorNeed[] = [
  'browse',
  'checkpoints',
  'watch',
  'grep.context',
  'grep.ignoreCase',
  'grep.onlyMatching',
  'grep.regex',
  'paths',
  'since',
  'threads',
  'expireAccess',
  'explain',
];

/**
 * Registers the conformance cases of connectors, and a test that skips only cases with a need in `missing`, or with this reason.
 * `run` passes a new subject to a case and removes it afterwards. Returns the skipped cases.
 */
export async function testConformance(
  test: Test,
  run: (work: (subject: ConnectorSubject) => Promise<void>) => Promise<void>,
  missing: readonly (ConnectorNeed | SkipReason)[],
): Promise<readonly { readonly id: string; readonly need: string }[]> {
  const skipped: { readonly id: string; readonly need: string }[] = [];
  await run(async (probe) => {
    const selection = await selectConnectorCases(probe);
    const { cases } = selection;
    for (const { id, reason } of selection.skipped)
      skipped.push({ id, need: /`(.+)`/.exec(reason)?.[1] ?? reason });
    for (const each of cases) test(each.title, () => run((subject) => each.run(subject)));

    test('skips only cases that the source cannot support', () => {
      assert.equal([...new Set(skipped.map(({ need }) => need))].sort(), [...missing].sort());
      assert.is(cases.length + skipped.length, connectorCases.length);
    });
  });
  return skipped;
}
