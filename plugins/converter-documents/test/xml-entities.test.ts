import { SaxesParser } from 'saxes';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { isEntityError } from '../src/xml/read.js';

/* The errors of saxes have no codes. This test fails if its messages change. */

const test = suite('references that saxes does not resolve');

/** The errors and the text of a parsed document. */
function read(xml: string): { readonly errors: Error[]; readonly text: string } {
  const errors: Error[] = [];
  let text = '';
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on('error', (error) => void errors.push(error));
  parser.on('text', (more) => (text += more));
  parser.write(xml).close();
  return { errors, text };
}

test('recognises an unresolved reference and leaves it unchanged', () => {
  for (const reference of ['&unknown;', '&un known;', '&#xyz;', '&#99999999;', '&;']) {
    const { errors, text } = read(`<a>${reference}</a>`);
    assert.ok(errors.length > 0, reference);
    for (const error of errors) assert.ok(isEntityError(error), `${reference}: ${error.message}`);
    assert.is(text, reference);
  }
});

test('does not mistake other errors for an unresolved reference', () => {
  for (const xml of ['<a></b>', '<a b></a>', '<a>']) {
    const { errors } = read(xml);
    assert.ok(
      errors.some((error) => !isEntityError(error)),
      xml,
    );
  }
});

test.run();
