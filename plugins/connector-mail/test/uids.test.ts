import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { formatUids, parseUids } from '../src/imap/uids.js';

test('formats UIDs as ranges', () => {
  for (const [uids, text] of [
    [[], ''],
    [[7], '7'],
    [[1, 2, 3, 5, 8, 9], '1:3,5,8:9'],
  ] as const) {
    assert.is(formatUids(uids), text);
    assert.equal(parseUids(text), [...uids]);
  }
});

test.run();
