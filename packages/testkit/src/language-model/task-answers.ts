import type { LanguageTaskKind } from '@trove/core/model';

import { expect, expectEqual } from '../expect.js';

/** Throws unless an answer is JSON with the task's schema in `taskSchemas`. */
export function expectTaskAnswer(kind: LanguageTaskKind, text: string): void {
  const answer = membersOf(kind, parsed(kind, text));
  switch (kind) {
    case 'extract':
      expectEqual(Object.keys(answer), ['triplets'], `${kind}: the members of the answer`);
      for (const triplet of listOf(kind, answer['triplets']))
        expectTriplet(membersOf(kind, triplet));
      break;
    case 'rank':
      expectEqual(Object.keys(answer), ['passages'], `${kind}: the members of the answer`);
      expect(
        listOf(kind, answer['passages']).every(Number.isInteger),
        `${kind}: passages: must be whole numbers`,
      );
      break;
    case 'answer':
      expectEqual(Object.keys(answer).sort(), ['answer', 'found'], `${kind}: its members`);
      expect(typeof answer['answer'] === 'string', `${kind}: answer: must be a text`);
      expect(typeof answer['found'] === 'boolean', `${kind}: found: must be true or false`);
      break;
  }
}

function expectTriplet(triplet: Readonly<Record<string, unknown>>): void {
  const members = Object.keys(triplet).sort();
  expectEqual(members, ['object', 'predicate', 'subject'], 'extract: the members of a triplet');
  expect(
    Object.values(triplet).every((part) => typeof part === 'string'),
    'extract: the parts of a triplet must be texts',
  );
}

function parsed(kind: LanguageTaskKind, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${kind}: the answer is not JSON: ${text}`);
  }
}

function membersOf(kind: LanguageTaskKind, value: unknown): Record<string, unknown> {
  expect(typeof value === 'object' && value !== null, `${kind}: must be an object`);
  return Object.fromEntries<unknown>(Object.entries(value));
}

function listOf(kind: LanguageTaskKind, value: unknown): readonly unknown[] {
  expect(Array.isArray(value), `${kind}: must be a list`);
  return value;
}
