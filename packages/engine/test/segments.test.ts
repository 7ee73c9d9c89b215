import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { segmentsOf, type SkippedLine, type TextSegment } from '../src/content/segments.js';

const test = suite('segments of a text');

async function cut(
  pieces: readonly string[],
  margin: number,
  limits: { maxSegmentChars: number; maxLineChars: number },
): Promise<(TextSegment | SkippedLine)[]> {
  const stream = async function* (): AsyncGenerator<string> {
    yield* pieces;
  };
  const segments: (TextSegment | SkippedLine)[] = [];
  for await (const segment of segmentsOf(stream(), margin, limits)) segments.push(segment);
  return segments;
}

test('segments cover each line once, with surrounding lines as context', async () => {
  const lines = Array.from({ length: 200 }, (_, number) => 'x'.repeat(number % 17) + number);
  for (const end of ['\n', '\r\n']) {
    for (const closing of ['', end]) {
      const text = lines.join(end) + closing;
      for (const size of [1, 7, 64, 5000]) {
        for (const margin of [0, 1, 3]) {
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          const segments = await cut(pieces, margin, {
            maxSegmentChars: 100,
            maxLineChars: 10_000,
          });
          let whole = '';
          for (const segment of segments) {
            if ('skippedLine' in segment) throw new Error('no line is long');
            const { text: shown, from, to, linesBefore } = segment;
            assert.is(
              linesBefore,
              (whole + shown.slice(from)).slice(0, whole.length - from).split('\n').length - 1,
            );
            if (whole !== '') assert.is(shown.slice(0, from).split('\n').length - 1, margin);
            whole += shown.slice(from, to);
            assert.ok(
              text.startsWith(whole + shown.slice(to)),
              'the context is the following text',
            );
          }
          assert.is(whole, text);
        }
      }
    }
  }
});

test('a line that is too long is reported; others keep their numbers', async () => {
  const text = `a\nb\n${'x'.repeat(500)}\nc\nd`;
  const pieces = text.match(/[^]{1,40}/g) ?? [];
  const segments = await cut(pieces, 1, { maxSegmentChars: 20, maxLineChars: 100 });
  const searched = segments.flatMap((segment) => {
    if ('skippedLine' in segment) return [`line ${segment.skippedLine}`];
    const start = segment.linesBefore + segment.text.slice(0, segment.from).split('\n').length;
    return segment.text
      .slice(segment.from, segment.to)
      .trimEnd()
      .split('\n')
      .map((line, index) => `${start + index} ${line}`);
  });
  assert.equal(searched, ['1 a', '2 b', 'line 3', '4 c', '5 d']);
});

test.run();
