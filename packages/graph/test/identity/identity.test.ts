import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { entityId, passageId, relationId } from '../../src/identity/ids.js';
import { markdownTitle } from '../../src/identity/markdown-title.js';
import { titleOf } from '../../src/identity/title.js';

const test = suite('identity');

test('ids depend only on the graph and the name', () => {
  assert.is(entityId('g', 'Émile Zola'), entityId('g', 'ÉMILE_ZOLA'));
  assert.is.not(entityId('g', 'Émile Zola'), entityId('h', 'Émile Zola'));
  assert.is.not(relationId('g', 'a', 'b c', 'd'), relationId('g', 'a b', 'c', 'd'));
  assert.is(relationId('g', 'A', 'B', 'C'), relationId('g', 'a', 'b', 'c'));
  assert.match(entityId('g', 'x'), /^[0-9a-f]{32}$/);
  assert.is(passageId('text'), passageId('text'));
  assert.is.not(passageId('text'), passageId('Text'));
});

test('a name with titles, an article and a legal form is one entity', () => {
  assert.is(entityId('g', 'Die Seewind AG'), entityId('g', 'Seewind'));
  assert.is(entityId('g', 'Dr. Samuel Okoro'), entityId('g', 'samuel okoro'));
  assert.is(
    relationId('g', 'The Seewind AG', 'employs', 'Prof. Dr. Ada Voss'),
    relationId('g', 'Seewind', 'employs', 'Ada Voss'),
  );
});

test('takes the title of Markdown from front matter, else from a heading at its start', () => {
  assert.is(markdownTitle('---\nowner: x\ntitle: "Fuel dock"\n---\n# Other\n'), 'Fuel dock');
  assert.is(markdownTitle('---\nowner: x\n---\n\n## The [old](a.md) `dock` ##\n'), 'The old dock');
  assert.is(markdownTitle('Text.\n\n# Heading\n'), null);
  assert.is(titleOf({}, '# First\nrest'), 'First');
});

test('takes the title from metadata, else from a short first line', () => {
  assert.is(titleOf({ title: ' Given ' }, 'First\nrest'), 'Given');
  assert.is(titleOf({ title: ' ' }, 'First\nrest'), 'First');
  assert.is(titleOf({ title: 7 }, 'Only a line'), null);
  assert.is(titleOf({}, 'First\n \n'), null);
  assert.is(titleOf({}, '\nrest'), null);
  assert.is(titleOf({}, `${'x'.repeat(120)}\nrest`), 'x'.repeat(120));
  assert.is(titleOf({}, `${'x'.repeat(121)}\nrest`), null);
});

test.run();
