import {
  defineConverter,
  TroveError,
  type Conversion,
  type ConversionRequest,
  type Converter,
  type ConverterPlugin,
  type DocumentPart,
} from '@trove/core';

/** Documents that consist of `pages`, a line end, and pages separated by form feeds. */
export const pagesMediaType = 'text/x-pages';

const start = 'pages\n';
const configSchema = { type: 'object', properties: {}, additionalProperties: false } as const;

class PagesConverter implements Converter {
  readonly version = 'pages 1';

  async convert({ bytes }: ConversionRequest): Promise<Conversion> {
    const text = new TextDecoder().decode(bytes);
    if (!text.startsWith(start)) {
      throw new TroveError('document_damaged', 'The document does not begin with `pages`.');
    }
    const pages = text
      .slice(start.length)
      .replaceAll(/[\0\r]/g, '')
      .split('\f');
    if (pages.every((page) => page.trim() === '')) {
      throw new TroveError('document_empty', 'The document has no text.');
    }
    return withParts(pages);
  }
}

function withParts(pages: readonly string[]): Conversion {
  const parts: DocumentPart[] = [];
  const lines: string[] = [];
  for (const [at, page] of pages.entries()) {
    const text = page.trim();
    if (text === '') continue;
    parts.push({ line: lines.length + 1, kind: 'page', number: at + 1 });
    lines.push(...text.split('\n'), '');
  }
  return { markdown: lines.join('\n'), parts };
}

/** Returns a converter plugin for documents that are easy to write. */
export function memoryConverter(): ConverterPlugin<typeof configSchema> {
  return defineConverter({
    keys: [pagesMediaType],
    configSchema,
    create: () => new PagesConverter(),
  });
}
