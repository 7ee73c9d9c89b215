import type { Connector, GrepRequest } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { texts } from './contents.js';
import { matches, placeOf, search } from './grep-requests.js';
import type { ConnectorSubject } from './subject.js';

/** Requirements on the search of texts by the source, which must find the same lines as reading everything. */
export const grepCases = [
  connectorCase(
    'grep-finds-lines',
    'finds each line with a text in all objects',
    ['grep', 'texts'],
    async (connector, subject) => {
      const { line } = sample(subject);
      const expected = scan(subject, (text) => text.includes(line));
      expectEqual(await find(connector, { pattern: line }), expected, 'matching lines');
    },
  ),
  connectorCase(
    'grep-takes-texts-literally',
    'matches literally unless the pattern is a regular expression',
    ['grep'],
    async (connector, subject) => {
      const expected = scan(subject, (text) => text.includes('.*'));
      expectEqual(await find(connector, { pattern: '.*' }), expected, 'lines with ".*"');
    },
  ),
  connectorCase(
    'grep-regular-expression',
    'matches a regular expression line by line',
    ['grep', 'grep.regex'],
    async (connector, subject) => {
      const expected = scan(subject, (text) => /^\w[^,]*$/u.test(text));
      const found = await find(connector, { pattern: '^\\w[^,]*$', regex: true });
      expectEqual(found, expected, 'lines that match ^\\w[^,]*$');
    },
  ),
  connectorCase(
    'grep-ignores-case',
    'ignores case only on request',
    ['grep', 'texts', 'grep.ignoreCase'],
    async (connector, subject) => {
      const pattern = swapCase(sample(subject).line);
      const folded = pattern.toLowerCase();
      const expected = scan(subject, (text) => text.toLowerCase().includes(folded));
      expectEqual(await find(connector, { pattern, ignoreCase: true }), expected, 'without case');
      const exact = scan(subject, (text) => text.includes(pattern));
      expectEqual(await find(connector, { pattern }), exact, 'with case');
    },
  ),
  connectorCase(
    'grep-keeps-to-a-path',
    'searches only below the given path',
    ['grep', 'texts'],
    async (connector, subject) => {
      const { path } = sample(subject);
      const pattern = commonLetter(subject);
      const found = await find(connector, { pattern, path });
      const expected = scan(subject, (text) => text.includes(pattern));
      const inside = expected.filter((place) => place.startsWith(`${path}:`));
      expectEqual(found, inside, `lines below "${path}"`);
    },
  ),
  connectorCase(
    'grep-keeps-to-a-limit',
    'returns no more matches than requested',
    ['grep', 'texts'],
    async (connector, subject) => {
      const request = { pattern: commonLetter(subject), limit: 2 };
      expectEqual((await search(connector, request)).length, 2, 'matches with a limit of 2');
    },
  ),
  connectorCase(
    'grep-keeps-to-patterns-of-paths',
    'searches only objects that match every list of patterns',
    ['grep', 'texts', 'grep.paging'],
    async (connector, subject) => {
      const { path } = sample(subject);
      const pattern = commonLetter(subject);
      // Other folders have objects of the same name.
      const name = path.includes('/') ? `/${path}` : path;
      const everything = await find(connector, { pattern });
      const isIt = (place: string): boolean => place.startsWith(`${path}:`);
      const globs = [[quoteName(name)], ['!/none']];
      const only = await find(connector, { pattern, globs });
      expectEqual(only.filter(isIt), everything.filter(isIt), `lines of "${name}"`);
      expect(
        only.length < everything.length || everything.every(isIt),
        'other objects were searched',
      );
      const others = [[`!${quoteName(name)}`]];
      const rest = await find(connector, { pattern, globs: others });
      expectEqual(rest.filter(isIt), [], `lines of "${name}", which is excluded`);
    },
  ),
  connectorCase(
    'grep-limits-each-object',
    'returns no more matches per object than requested',
    ['grep', 'texts', 'grep.paging'],
    async (connector, subject) => {
      const pattern = commonLetter(subject);
      const found = await matches(connector, { pattern, limitPerObject: 1 });
      const expected = new Set(scan(subject, (text) => text.includes(pattern)).map(objectOf));
      expectEqual(found.map(({ path }) => path).sort(), [...expected].sort(), 'objects');
    },
  ),
  connectorCase(
    'grep-goes-on',
    'continues an earlier search in the same order',
    ['grep', 'texts', 'grep.paging'],
    async (connector, subject) => {
      const request = { pattern: commonLetter(subject) };
      const all = (await search(connector, request)).map(placeOf);
      const pages: string[] = [];
      const seen = new Map<string, number>();
      let after: GrepRequest['after'] = null;
      while (pages.length < all.length) {
        const [next] = await search(connector, { ...request, limit: 1, after });
        if (next === undefined) break;
        seen.set(next.path, (seen.get(next.path) ?? 0) + 1);
        after = { path: next.path, matches: seen.get(next.path) ?? 0 };
        pages.push(placeOf(next));
      }
      expectEqual(pages, all, 'matches, one page each');
      expectEqual(await search(connector, { ...request, after }), [], 'matches after the pages');
    },
  ),
  connectorCase(
    'grep-only-matching',
    'returns only the matching text on request, once per line',
    ['grep', 'texts', 'grep.onlyMatching'],
    async (connector, subject) => {
      const { path, line, number } = sample(subject);
      const [pattern = ''] = line.match(/[a-z]/) ?? [];
      const request = { pattern, path, onlyMatching: true };
      const found = (await matches(connector, request)).find(({ lines }) => lines[0] === number);
      const times = line.split(pattern).length - 1;
      expectEqual(found?.content, Array(times).fill(pattern).join('\n'), 'a letter of a line');
    },
  ),
  connectorCase(
    'grep-shows-context',
    'returns the lines around a match with their numbers',
    ['grep', 'texts', 'grep.context'],
    async (connector, subject) => {
      const { path, line, number, lines } = sample(subject);
      const found = await matches(connector, { pattern: line, path, context: 1 });
      const from = Math.max(1, number - 1);
      const to = Math.min(lines.length, number + 1);
      const match = found.find((each) => each.lines[0] === from && each.lines[1] === to);
      expect(match !== undefined, `no match has the lines ${from} to ${to}`);
      expectEqual(match.content, lines.slice(from - 1, to).join('\n'), 'content with context');
      expectEqual(match.match, { lines: [number, number], column: 1 }, 'the match in it');
    },
  ),
  connectorCase(
    'grep-can-be-aborted',
    'finds nothing after an abort',
    ['grep'],
    async (connector) => {
      const ended = await search(connector, { pattern: 'e', signal: AbortSignal.abort() }).then(
        () => 'with results',
        () => 'with an error',
      );
      expectEqual(ended, 'with an error', 'a search with an aborted signal');
    },
  ),
];

/** Returns the locations of all matches (`path:line:content`), sorted. */
async function find(connector: Connector, request: Partial<GrepRequest>): Promise<string[]> {
  const found = await matches(connector, request);
  return found.map(({ path, lines, content }) => `${path}:${lines.join('-')}:${content}`).sort();
}

/** Returns the locations of the known lines that satisfy a predicate, sorted. */
function scan(subject: ConnectorSubject, holds: (line: string) => boolean): string[] {
  return texts(subject)
    .flatMap(({ path, lines }) =>
      lines.map((line, at) => (holds(line) ? `${path}:${at + 1}-${at + 1}:${line}` : '')),
    )
    .filter((place) => place !== '')
    .sort();
}

function objectOf(place: string): string {
  return place.slice(0, place.search(/:\d+-\d+:/));
}

/** Returns the letter in most lines of the subject's texts. */
function commonLetter(subject: ConnectorSubject): string {
  const lines = texts(subject).flatMap((each) => each.lines);
  const holding = (letter: string): number => lines.filter((line) => line.includes(letter)).length;
  return Array.from('abcdefghijklmnopqrstuvwxyz').reduce((best, letter) =>
    holding(letter) > holding(best) ? letter : best,
  );
}

/** Returns a pattern that matches only the name. */
function quoteName(name: string): string {
  return name.replace(/[\\*?[\]!#{},]/g, '\\$&');
}

interface GrepSample {
  readonly path: string;
  readonly lines: readonly string[];
  readonly line: string;
  readonly number: number;
}

/** Returns a line with a letter from the middle of a known text. */
function sample(subject: ConnectorSubject): GrepSample {
  for (const { path, lines } of texts(subject)) {
    const at = lines.findIndex((line, index) => index > 0 && /[a-z]/.test(line));
    const line = lines[at];
    if (line !== undefined && lines.length >= 3) return { path, lines, line, number: at + 1 };
  }
  throw new Error('the subject has no text of three lines or more');
}

function swapCase(text: string): string {
  return Array.from(text, (char) => {
    return char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase();
  }).join('');
}
