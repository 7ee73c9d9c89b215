import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDrafts } from '../../src/build/document-drafts.js';
import { cleanTriplets } from '../../src/build/triplets.js';

const test = suite('documents of a request');

test('keeps each triplet once, trimmed, in its first spelling', () => {
  const { triplets, dropped } = cleanTriplets([
    [' Ada  Lovelace ', 'worked\nwith', 'Charles Babbage'],
    { subject: 'ADA LOVELACE', predicate: 'Worked with', object: 'charles babbage' },
    ['Charles Babbage', 'worked with', 'Ada Lovelace'],
  ]);
  assert.equal(triplets, [
    { subject: 'Ada Lovelace', predicate: 'worked with', object: 'Charles Babbage' },
    { subject: 'Charles Babbage', predicate: 'worked with', object: 'Ada Lovelace' },
  ]);
  assert.is(dropped, 0);
});

test('drops triplets without a subject or object but not without a predicate', () => {
  const { triplets, dropped } = cleanTriplets([
    ['?!', 'knows', 'b'],
    ['a', 'knows', ' '],
    ['a', '', 'b'],
  ]);
  assert.equal(triplets, [{ subject: 'a', predicate: '', object: 'b' }]);
  assert.is(dropped, 2);
});

test('limits the length of the parts of a triplet', () => {
  const long = 'x'.repeat(2000);
  const [triplet] = cleanTriplets([[long, long, `y${long}`]]).triplets;
  const lengths = [triplet?.subject, triplet?.predicate, triplet?.object].map(
    (part) => part?.length,
  );
  assert.equal(lengths, [512, 1000, 512]);
});

test('names all lists of the wrong length', () => {
  const request = {
    documents: ['one', 'two'],
    ids: ['a'],
    metadatas: [{}, {}, {}],
    triplets: [[]],
    extract_triplets: false,
  };
  try {
    createDrafts(request);
    assert.unreachable();
  } catch (error) {
    assert.ok(isTroveError(error));
    assert.is(error.code, 'validation_error');
    assert.equal(
      error.violations.map(({ path, rule }) => [...path, rule]),
      ['ids', 'metadatas', 'triplets'].map((name) => ['body', name, 'length']),
    );
  }
});

test.run();
