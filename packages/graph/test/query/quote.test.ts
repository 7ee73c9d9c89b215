import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { quote } from '../../src/query/quote.js';

const test = suite('quote');
const film = '# The Long Harbour\n\nThe Long Harbour is a film by Mira Okafor. It won two prizes.';

test('quotes the sentences that cover the question, each with its passage', () => {
  const passages = [
    { id: 'film', text: film },
    { id: 'person', text: 'Mira Okafor was born in Velstad. She paints.' },
  ];
  assert.is(
    quote('Where was the maker of The Long Harbour born?', passages),
    '“The Long Harbour is a film by Mira Okafor.” [film]\n“Mira Okafor was born in Velstad.” [person]',
  );
});

test('a heading is no answer, and too little of the question is none', () => {
  assert.is(quote('the long harbour', [{ id: 'a', text: '# The Long Harbour' }]), null);
  assert.is(quote('quantum physics of seals near Oslo', [{ id: 'a', text: 'Seals rest.' }]), null);
  assert.is(quote('anything', []), null);
});

test.run();
