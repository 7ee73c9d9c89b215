import { isTroveError, type Conversion, type Converter } from '@trove/core';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectRejection } from '../expect.js';

/** A document that is converted. */
export interface SampleDocument {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Texts that its Markdown contains, in this order. */
  readonly texts: readonly string[];
}

/** What the converter suite runs on. */
export interface ConverterSubject {
  /** Creates a new converter; the suite closes it. */
  readonly create: () => Promise<Converter>;
  /** At least one. */
  readonly samples: readonly [SampleDocument, ...SampleDocument[]];
  /** A document without text, and of which media type. */
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
    title: 'names its version',
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
    title: 'keeps the texts of a document, in their order',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        for (const sample of subject.samples) {
          const { markdown } = await convert(converter, sample);
          let from = 0;
          for (const text of sample.texts) {
            const at = markdown.indexOf(text, from);
            expect(at >= 0, `${sample.mediaType}: ${text} is missing, or in another place`);
            from = at + text.length;
          }
        }
      }),
  },
  {
    id: 'plain-lines',
    title: 'gives Markdown whose lines end with \\n, without NUL or halves of characters',
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
    title: 'says at which line of the Markdown each part begins, in order',
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
    title: 'gives the same for the same bytes, from another converter of the same kind too',
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
    title: 'keeps documents apart that are converted at the same time',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        const alone: Conversion[] = [];
        for (const sample of subject.samples) alone.push(await convert(converter, sample));
        const atOnce = await Promise.all(
          subject.samples.map((sample) => convert(converter, sample)),
        );
        expectEqual(atOnce, alone, 'documents converted at once');
      }),
  },
  {
    id: 'refuses-empty',
    title: 'refuses a document without text with document_empty',
    run: (subject) =>
      withConverter(subject, async (converter) => {
        const error = await expectRejection(convert(converter, subject.empty), 'an empty document');
        const code = isTroveError(error) ? error.code : String(error);
        expectEqual(code, 'document_empty', 'the code for an empty document');
      }),
  },
  {
    id: 'refuses-damaged',
    title: 'refuses what is no document, or cut off, with a code, or converts what is left of it',
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
    title: 'converts as before after it refused a document',
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
    title: 'may be closed twice',
    run: async ({ create }) => {
      const converter = await create();
      await converter.close?.();
      await converter.close?.();
    },
  },
];

/** Converts, or refuses with one of the codes of documents. */
async function expectOrderly(
  converter: Converter,
  document: Pick<SampleDocument, 'mediaType' | 'bytes'>,
): Promise<void> {
  try {
    const { markdown } = await convert(converter, document);
    expect(markdown.trim() !== '', 'a damaged document: must not become blank Markdown');
  } catch (error) {
    const isRefusal = isTroveError(error) && refusals.has(error.code);
    expect(isRefusal, `a damaged document: must be refused with a code, not: ${String(error)}`);
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

/** A copy: a converter may keep, or hand on, what it gets. */
function convert(
  converter: Converter,
  { mediaType, bytes }: Pick<SampleDocument, 'mediaType' | 'bytes'>,
): Promise<Conversion> {
  const { signal } = new AbortController();
  return converter.convert({ bytes: Uint8Array.from(bytes), mediaType, signal });
}
