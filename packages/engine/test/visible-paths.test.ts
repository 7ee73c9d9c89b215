import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VisiblePaths } from '../src/sources/visibility/visible-paths.js';

const test = suite('visible paths');
const visible = new VisiblePaths([
  'file://local/a',
  'file://local/a/b',
  'file://local/a',
  'file://local/mix/open',
  'file://local/mix/one.md',
  'web://docs',
]);

test('leaves out repeated URIs and those inside others', () => {
  assert.equal(visible.uris, [
    'file://local/a',
    'file://local/mix/open',
    'file://local/mix/one.md',
    'web://docs',
  ]);
  assert.equal(new VisiblePaths([]).uris, []);
});

test('contains a URI and everything below it, but no similar names', () => {
  for (const uri of ['file://local/a', 'file://local/a/x/y', 'web://docs/guide'])
    assert.ok(visible.contains(uri), uri);
  for (const uri of [
    'file://local/ab',
    'file://local',
    'file://local/mix',
    'web://docs2',
    'file://x/a',
  ])
    assert.not.ok(visible.contains(uri), uri);
});

test('returns the visible parts of a source', () => {
  assert.equal(visible.partsOf('file://local/a/b'), ['']);
  assert.equal(visible.partsOf('file://local/mix'), ['open', 'one.md']);
  assert.equal(visible.partsOf('file://local'), ['a', 'mix/open', 'mix/one.md']);
  assert.equal(visible.partsOf('file://local/other'), []);
});

test('returns the visible URIs at or below a URI', () => {
  assert.equal(visible.below('file://local/a/x'), ['file://local/a/x']);
  assert.equal(visible.below('file://local/mix'), [
    'file://local/mix/open',
    'file://local/mix/one.md',
  ]);
  assert.equal(visible.below('file://local/other'), []);
});

test.run();
