// test-timeout: 1200
// test-waits
import { testUnless } from '@trove/test-support/skips.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { builtinPackages } from '../src/builtin-packages.js';
import { followLaw } from './support/follow-law.js';
import { laws } from './support/laws.js';

/* After every change of a source, a sync leaves what a first crawl would find. */

const test = suite('syncs of each connector');

test('each scheme of the catalogue has a case', () => {
  const schemes = Object.keys(builtinPackages)
    .filter((key) => key.startsWith('connector:'))
    .map((key) => key.slice('connector:'.length));
  const covered = laws.flatMap((law) => law.schemes);
  const missing = schemes.filter((scheme) => !covered.includes(scheme));
  assert.equal(
    missing,
    [],
    'Export a `law` in test/law.ts of the plugin, and add it to packages/trove/test/support/laws.ts',
  );
  assert.is(new Set(covered).size, covered.length);
});

for (const law of laws) {
  const [scheme] = law.schemes;
  testUnless(law.unavailable ?? null, test)(`${scheme}: a sync leaves what a crawl finds`, () =>
    withFolder((folder) => followLaw(law, folder)),
  );
}

test.run();
