import { languageMarks } from '@trove/text/analyzer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { WordForms } from '../src/query/search/word-forms.js';

const test = suite('word forms');

test('returns forms even if the counts of a query fill the cache', async () => {
  const forms = new WordForms({
    frequencies: async (words) =>
      new Map(words.map((word) => [word, languageMarks.has(word) ? 1 : 3])),
  });
  const first = [...(await forms.of('Verbindungen')).values()].flat();
  assert.ok(first.length > 0);
  const others = Array.from({ length: 26_000 }, (_, at) => `x${at}ungen`).join(' ');
  const again = (await forms.of(`Verbindungen ${others}`)).get('verbindungen');
  assert.equal(again, first);
});

test.run();
