import type { RecordKey } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { first, recordObjects, recordTexts, type RecordText } from './contents.js';
import { placeOf, recordMatches } from './grep-requests.js';
import type { ConnectorSubject } from './subject.js';

/** Requirements on the search of records by the source, which covers at least the texts in their fields. */
export const grepRecordsCases = [
  connectorCase(
    'grep-finds-records',
    'finds the records with a text and returns their keys',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const { text } = sample(subject);
      const found = (await recordMatches(connector, { pattern: text })).map(placeOf);
      expectEqual(found.sort(), holding(subject, text), `records with "${text}"`);
    },
  ),
  connectorCase(
    'grep-takes-signs-literally',
    'matches `%`, `_`, `*` and `?` literally in records',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const { text } = sample(subject);
      for (const sign of ['_', '%', '*', '?', '.']) {
        const pattern = `${text.slice(0, 1)}${sign}${text.slice(2)}`;
        const found = (await recordMatches(connector, { pattern })).map(placeOf);
        expectEqual(found.sort(), holding(subject, pattern), `records with "${pattern}"`);
      }
    },
  ),
  connectorCase(
    'grep-ignores-case-of-records',
    'ignores case in records only on request',
    ['grep', 'records', 'recordTexts', 'grep.ignoreCase'],
    async (connector, subject) => {
      const { path, key, text } = sample(subject);
      const pattern = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
      const found = await recordMatches(connector, { pattern, ignoreCase: true });
      expect(
        found.map(placeOf).includes(placeOf({ path, key })),
        `"${pattern}" finds no "${text}"`,
      );
    },
  ),
  connectorCase(
    'grep-keeps-to-an-object-of-records',
    'finds only records of the given object',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const { text, path: own } = sample(subject);
      for (const { path } of recordObjects(subject)) {
        const found = (await recordMatches(connector, { pattern: text, path })).map(placeOf);
        const expected = holding(subject, text).filter((place) => place.startsWith(`${path}:`));
        expectEqual(found.sort(), expected, `records of "${path}" for the text of "${own}"`);
      }
    },
  ),
  connectorCase(
    'grep-limits-records',
    'returns no more records than requested',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const letter = commonLetter(recordTexts(subject));
      const found = await recordMatches(connector, { pattern: letter, limit: 1 });
      expect(found.length <= 1, `${found.length} records with a limit of 1`);
    },
  ),
  connectorCase(
    'grep-shows-records',
    'returns the part of a record that contains the text',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const { text } = sample(subject);
      for (const match of await recordMatches(connector, { pattern: text }))
        expect(match.content.includes(text), `${placeOf(match)}: its content lacks "${text}"`);
    },
  ),
];

function sample(subject: ConnectorSubject): RecordText {
  return first(recordTexts(subject), 'record with a word in its fields');
}

/** Returns the places of known records with a text in their fields, sorted. */
function holding(subject: ConnectorSubject, text: string): string[] {
  const known = recordObjects(subject).flatMap(({ path, records }) =>
    records.map(({ key, fields }): { path: string; key: RecordKey; values: string } => ({
      path,
      key,
      values: JSON.stringify(Object.values(fields)),
    })),
  );
  return known.flatMap((each) => (each.values.includes(text) ? [placeOf(each)] : [])).sort();
}

/** Returns the letter in most of the texts. */
function commonLetter(texts: readonly RecordText[]): string {
  const holders = (letter: string): number =>
    texts.filter(({ text }) => text.includes(letter)).length;
  return Array.from('abcdefghijklmnopqrstuvwxyz').reduce((best, letter) =>
    holders(letter) > holders(best) ? letter : best,
  );
}
