import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { affectedPathOf } from '../src/watch/affected-path.js';

const test = suite('file connector, affected paths');

test('affects the changed path, and the whole folder of an ignore file', () => {
  for (const [path, concerned] of [
    ['a.md', 'a.md'],
    ['docs/a.md', 'docs/a.md'],
    ['.gitignore', ''],
    ['docs/.troveignore', 'docs'],
    // Prose in a folder of this name includes the whole folder.
    ['docs/build/README.md', 'docs/build'],
    ['docs/build/deep/x.md', 'docs/build/deep/x.md'],
    ['docs/bad\ufffd.md', 'docs'],
    ['.git/index', null],
    ['a/node_modules/x/index.js', null],
  ] as const)
    assert.is(affectedPathOf(path), concerned, path);
});

test.run();
