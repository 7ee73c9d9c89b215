import { appendFileSync } from 'node:fs';

/**
 * Converts "PDFs" that consist of `%PDF-` and a text with form feeds between pages. A text that begins with the name
 * of a fault triggers it. Each conversion appends a line to the file `log`.
 */
export default {
  kind: 'converter',
  apiVersion: 1,
  keys: ['application/pdf'],
  configSchema: {
    type: 'object',
    properties: { log: { type: 'string' }, version: { type: 'string' } },
  },
  workerModule: import.meta.url,
  create: ({ config, error }) => ({
    version: config.version ?? 'pages 1',
    convert: async ({ bytes }) => {
      const text = new TextDecoder().decode(bytes).slice('%PDF-'.length);
      if (config.log !== undefined) appendFileSync(config.log, `${text.split('\n')[0]}\n`);
      await faults[text.trim()]?.(error);
      return withPages(text);
    },
  }),
};

const faults = {
  encrypted: (error) => {
    throw error('document_encrypted', 'It asks for a password.');
  },
  stumbles: () => {
    throw new RangeError('index out of range');
  },
  'ends the thread': () => process.exit(1),
  'eats memory': () => {
    for (const all = []; ;) all.push(Array.from({ length: 4e6 }, () => all));
  },
};

function withPages(text) {
  const parts = [];
  let markdown = '';
  for (const [at, page] of text.split('\f').entries()) {
    parts.push({ line: markdown.split('\n').length, kind: 'page', number: at + 1 });
    markdown += `${page}\n\n`;
  }
  return { markdown, title: 'Of pages', parts };
}
