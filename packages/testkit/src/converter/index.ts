import { isTroveError, type Conversion, type Converter } from '@trove/core';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectRejection } from '../expect.js';

/** A document to convert. */
export interface SampleDocument {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Texts of its Markdown in order. */
  readonly texts: readonly string[];
}

/** The subject of the converter suite. */
export interface ConverterSubject {
  /** Creates a converter, which the suite closes. */
  readonly create: () => Promise<Converter>;
  /** At least one document. */
  readonly samples: readonly [SampleDocument, ...SampleDocument[]];
  /** A document without text and its media type. */
  readonly empty: Pick<SampleDocument, 'mediaType' | 'bytes'>;
}

const refusals: ReadonlySet<string> = new Set([
  'document_encrypted',
  'document_damaged',
  'document_empty',
  'document_too_complex',
]);

/** Requirements on every converter. */
export const converterCases: readonly ConformanceCase<ConverterSubject>[] = [
  {
    id: 'names-its-version',
    title: 'has a version',
    run: (subject) =>
      withConverter(subject, async ({ version }) => {
        expect(
          typeof version === 'string' && version.trim() !== '' && version.length <= 200,
          'version: must be a text of 1 to 200 characters',
        );
      }),
  },
  {
    id: 'keeps-texts',
    title: 'keeps the texts of a document in order',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        for (const sample of subject.samples) {
          const { markdown } = await convert(converter, sample);
          let from = 0;
          for (const text of sample.texts) {
            const at = markdown.indexOf(text, from);
            expect(at >= 0, `${sample.mediaType}: ${text} is missing or misplaced`);
            from = at + text.length;
          }
        }
      }),
  },
  {
    id: 'plain-lines',
    title: 'returns well-formed Markdown with \\n line ends and without NUL',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        for (const sample of subject.samples) {
          const { markdown } = await convert(converter, sample);
          expect(markdown.trim() !== '', 'markdown: must not be blank');
          expect(!/[\r\0]/.test(markdown), 'markdown: must have neither \\r nor NUL');
          expect(markdown.isWellFormed(), 'markdown: must be well-formed');
        }
      }),
  },
  {
    id: 'parts-in-order',
    title: 'returns the first Markdown line of each part in order',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        for (const sample of subject.samples) {
          const { markdown, parts = [] } = await convert(converter, sample);
          const lines = markdown.split('\n');
          let [line, number] = [0, 0];
          for (const part of parts) {
            expect(
              part.line > line && part.number > number,
              'parts: lines and numbers must grow from part to part',
            );
            const text = lines[part.line - 1]?.trim() ?? '';
            expect(
              text !== '',
              `parts: line ${part.line} of the Markdown must be the part's first`,
            );
            ({ line, number } = part);
          }
        }
      }),
  },
  {
    id: 'repeatable',
    title: 'returns the same result for the same bytes, even from another converter',
    run: async (subject) => {
      const conversions: Conversion[] = [];
      for (let round = 0; round < 2; round++) {
        await withConverter(subject, async (converter) => {
          for (let again = 0; again < 2; again++)
            conversions.push(await convert(converter, subject.samples[0]));
        });
      }
      for (const conversion of conversions)
        expectEqual(conversion, conversions[0], 'the same bytes converted again');
    },
  },
  {
    id: 'at-once',
    title: 'separates documents that are converted concurrently',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        const alone: Conversion[] = [];
        for (const sample of subject.samples) alone.push(await convert(converter, sample));
        const atOnce = await Promise.all(
          subject.samples.map((sample) => convert(converter, sample)),
        );
        expectEqual(atOnce, alone, 'concurrently converted documents');
      }),
  },
  {
    id: 'refuses-empty',
    title: 'rejects a document without text with document_empty',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        const error = await expectRejection(convert(converter, subject.empty), 'an empty document');
        const code = isTroveError(error) ? error.code : String(error);
        expectEqual(code, 'document_empty', 'the code for an empty document');
      }),
  },
  {
    id: 'refuses-damaged',
    title: 'rejects invalid or truncated documents with a code, or converts the rest',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        for (const { mediaType, bytes } of subject.samples) {
          const damaged = [
            new Uint8Array(),
            Uint8Array.from({ length: 2000 }, (_, at) => (at * 7919) % 256),
            bytes.slice(0, bytes.length / 2),
            bytes.map((byte, at) => (at % 50 === 49 ? byte ^ 0xff : byte)),
          ];
          for (const each of damaged) await expectOrderly(converter, { mediaType, bytes: each });
        }
      }),
  },
  {
    id: 'works-on',
    title: 'converts correctly after a rejected document',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        const [sample] = subject.samples;
        const before = await convert(converter, sample);
        await convert(converter, { ...sample, bytes: sample.bytes.slice(0, 40) }).catch(() => null);
        expectEqual(await convert(converter, sample), before, 'a document after a damaged one');
      }),
  },
  {
    id: 'closed-twice',
    title: 'can be closed twice',
    run: async ({ create }) => {
      const converter = await create();
      await converter.close?.();
      await converter.close?.();
    },
  },
];

/** Converts the bytes, or expects an error with a document code. */
async function expectOrderly(
  converter: Converter,
  document: Pick<SampleDocument, 'mediaType' | 'bytes'>,
): Promise<void> {
  try {
    const { markdown } = await convert(converter, document);
    expect(markdown.trim() !== '', 'a damaged document: must not become blank Markdown');
  } catch (error) {
    const isRefusal = isTroveError(error) && refusals.has(error.code);
    expect(isRefusal, `a damaged document: must be rejected with a code, not: ${String(error)}`);
  }
}

async function withConverter(
  { create }: ConverterSubject,
  run: (converter: Converter) => Promise<void>,
): Promise<void> {
  const converter = await create();
  try {
    await run(converter);
  } finally {
    await converter.close?.();
  }
}

/** Passes a copy, because a converter may keep or transfer its input. */
function convert(
  converter: Converter,
  { mediaType, bytes }: Pick<SampleDocument, 'mediaType' | 'bytes'>,
): Promise<Conversion> {
  const { signal } = new AbortController();
  return converter.convert({ bytes: Uint8Array.from(bytes), mediaType, signal });
}
