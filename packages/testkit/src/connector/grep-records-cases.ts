import type { RecordKey } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { first, recordObjects, recordTexts, type RecordText } from './contents.js';
import { placeOf, recordMatches } from './grep-requests.js';
import type { ConnectorSubject } from './subject.js';

/** Requirements on the source's own search of records: it looks at the texts among their fields, at least. */
export const grepRecordsCases = [
  connectorCase(
    'grep-finds-records',
    'finds the records that hold a text, and gives their keys',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const { text } = sample(subject);
      const found = (await recordMatches(connector, { pattern: text })).map(placeOf);
      expectEqual(found.sort(), holding(subject, text), `records with "${text}"`);
    },
  ),
  connectorCase(
    'grep-takes-signs-literally',
    'takes `%`, `_`, `*` and `?` literally in records, too',
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
    'finds upper and lower case of records alike when asked to',
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
    'finds only the records of the object that is asked for',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const { text, path: own } = sample(subject);
      for (const { path } of recordObjects(subject)) {
        const found = (await recordMatches(connector, { pattern: text, path })).map(placeOf);
        const expected = holding(subject, text).filter((place) => place.startsWith(`${path}:`));
        expectEqual(found.sort(), expected, `records of "${path}", the text being of "${own}"`);
      }
    },
  ),
  connectorCase(
    'grep-limits-records',
    'gives no more records than are wanted',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const letter = commonLetter(recordTexts(subject));
      const found = await recordMatches(connector, { pattern: letter, limit: 1 });
      expect(found.length <= 1, `${found.length} records, of 1 that was wanted`);
    },
  ),
  connectorCase(
    'grep-shows-records',
    'shows of a record what holds the text',
    ['grep', 'records', 'recordTexts'],
    async (connector, subject) => {
      const { text } = sample(subject);
      for (const match of await recordMatches(connector, { pattern: text }))
        expect(match.content.includes(text), `${placeOf(match)}: its content is without "${text}"`);
    },
  ),
];

function sample(subject: ConnectorSubject): RecordText {
  return first(recordTexts(subject), 'record with a word in its fields');
}

/** The places of the known records with a text in the values of their fields, sorted. */
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

/** The letter that is in most of some texts. */
function commonLetter(texts: readonly RecordText[]): string {
  const holders = (letter: string): number =>
    texts.filter(({ text }) => text.includes(letter)).length;
  return Array.from('abcdefghijklmnopqrstuvwxyz').reduce((best, letter) =>
    holders(letter) > holders(best) ? letter : best,
  );
}
