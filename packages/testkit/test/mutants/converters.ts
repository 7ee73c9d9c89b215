import { TroveError, type Conversion, type Converter } from '@trove/core';

import {
  memoryConverter,
  pluginContext,
  pagesMediaType,
  type ConverterSubject,
} from '../../src/index.js';

const document = (text: string) => ({
  mediaType: pagesMediaType,
  bytes: new TextEncoder().encode(`pages\n${text}`),
});

/** The documents of the mutants' subjects. */
export const documents: Omit<ConverterSubject, 'create'> = {
  samples: [
    {
      ...document('First apples\r\n\fSecond\0 pears,\nand more of them\f\fFourth plums'),
      texts: ['First apples', 'pears', 'Fourth plums'],
    },
    { ...document('Another document'), texts: ['Another'] },
  ],
  empty: document(' \n\f '),
};

export async function goodConverter(): Promise<Converter> {
  return memoryConverter().create({
    ...pluginContext({ config: {} }),
  });
}

type Mutant = (good: Converter) => Partial<Converter>;

/** Returns a converter that changes the results of a good one. */
function changing(change: (made: Conversion) => Conversion): Mutant {
  return (good) => ({ convert: async (request) => change(await good.convert(request)) });
}

let instances = 0;

/** For each case, a converter that fails only this case. */
export const converterMutants: Readonly<Record<string, Mutant>> = {
  'names-its-version': () => ({ version: ' ' }),
  'keeps-texts': changing((made) => ({ ...made, markdown: made.markdown.replace('plums', '…') })),
  'plain-lines': changing((made) => ({
    ...made,
    markdown: made.markdown.replace('and more', '\r and more'),
  })),
  'parts-in-order': changing(({ parts = [], ...made }) => ({
    ...made,
    parts: parts.map((part) => ({ ...part, line: part.line + 1 })),
  })),
  repeatable: (good) => {
    const title = String(instances++);
    return changing((made) => ({ ...made, title }))(good);
  },
  'at-once': (good) => {
    let last: ReturnType<Converter['convert']> | null = null;
    return {
      convert: (request) => {
        last ??= good.convert(request).finally(() => (last = null));
        return last;
      },
    };
  },
  'refuses-empty': (good) => ({
    convert: (request) =>
      good.convert(request).catch((error: unknown) => {
        const isEmpty = error instanceof TroveError && error.code === 'document_empty';
        throw isEmpty ? new TroveError('document_damaged', error.detail) : error;
      }),
  }),
  'refuses-damaged': (good) => ({
    convert: async (request) => {
      if (request.bytes.length === 0) throw new RangeError('Offset is outside the bounds');
      return good.convert(request);
    },
  }),
  'works-on': (good) => {
    let worn = '';
    return {
      convert: async (request) => {
        if (request.bytes.length === 40) worn = ' worn';
        const made = await good.convert(request);
        return { ...made, markdown: made.markdown.trimEnd() + worn };
      },
    };
  },
  'closed-twice': () => {
    let closed = false;
    return {
      close: async () => {
        if (closed) throw new Error('The converter is closed already');
        closed = true;
      },
    };
  },
};
