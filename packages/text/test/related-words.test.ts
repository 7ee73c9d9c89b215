import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { analyze, relatedTerms } from '../src/analyzer/index.js';

const test = suite('related words');

function areRelated(first: string, second: string): boolean {
  const [one = ''] = analyze(first);
  return relatedTerms(one).some((term) => analyze(second).includes(term));
}

test('relates forms of words with nearly the same meaning, in both directions', () => {
  assert.ok(areRelated('changed', 'rotates'));
  assert.ok(areRelated('rotate', 'changing'));
  assert.ok(areRelated('deleting', 'removed'));
  assert.not.ok(areRelated('change', 'remove'));
  assert.equal(relatedTerms('zebra'), []);
});

test.run();
