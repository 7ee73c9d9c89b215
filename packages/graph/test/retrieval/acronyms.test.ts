import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { options, passage, retrieverOf } from '../support/passages.js';

const test = suite('acronyms');

const retriever = retrieverOf([
  passage('long', null, 'The Harbour Safety Board inspects ships.', [
    'Harbour Safety Board | inspects | ships',
  ]),
  passage('short', null, 'In 2004 the HSB moved to Velstad.', ['HSB | moved to | Velstad']),
  passage('noise', null, 'A board on safety in the harbour.', ['board | is about | safety']),
]);

async function linked(question: string): Promise<string[]> {
  const { queryEntities } = await retriever.retrieve(question, options);
  return queryEntities.map(({ name }) => name);
}

test('a question with an acronym finds the long form, and the reverse', async () => {
  assert.equal(await linked('What does the HSB do?'), ['HSB', 'Harbour Safety Board']);
  assert.equal(await linked('Where is the Harbour Safety Board?'), ['Harbour Safety Board', 'HSB']);
  assert.equal(await linked('WHAT DOES THE HSB DO?'), ['HSB'], 'capitals say nothing');
});

test.run();
