import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDrafts } from '../../src/build/document-drafts.js';
import { cleanTriplets } from '../../src/build/triplets.js';

const test = suite('what callers give');

test('triplets are kept once, trimmed, as they were first spelled', () => {
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

test('triplets without a subject or an object are dropped and counted, those without a predicate are not', () => {
  const { triplets, dropped } = cleanTriplets([
    ['?!', 'knows', 'b'],
    ['a', 'knows', ' '],
    ['a', '', 'b'],
  ]);
  assert.equal(triplets, [{ subject: 'a', predicate: '', object: 'b' }]);
  assert.is(dropped, 2);
});

test('the parts of a triplet are cut to the length that is kept', () => {
  const long = 'x'.repeat(2000);
  const [triplet] = cleanTriplets([[long, long, `y${long}`]]).triplets;
  const lengths = [triplet?.subject, triplet?.predicate, triplet?.object].map(
    (part) => part?.length,
  );
  assert.equal(lengths, [512, 1000, 512]);
});

test('lists that do not fit the documents are named, all of them', () => {
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
      error.violations.map(({ path: at, rule }) => [...at, rule]),
      ['ids', 'metadatas', 'triplets'].map((name) => ['body', name, 'length']),
    );
  }
});

test.run();
