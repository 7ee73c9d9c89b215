import { readCode } from './code.js';
import { readCsv, readIndented, readIni, readRows } from './data.js';
import type { TextFormat } from './format.js';
import type { Lines } from './lines.js';
import { readMarkdown } from './markdown.js';
import { readAsciidoc, readProse } from './prose.js';
import type { TextStructure } from './structure.js';

export function readStructure(lines: Lines, format: TextFormat): TextStructure {
  switch (format) {
    case 'markdown':
      return readMarkdown(lines);
    case 'prose':
      return readProse(lines);
    case 'asciidoc':
      return readAsciidoc(lines);
    case 'code':
    case 'lisp':
    case 'sql':
    case 'shell':
      return readCode(lines, format);
    case 'json':
    case 'yaml':
      return readIndented(lines, format);
    case 'csv':
      return readCsv(lines);
    case 'rows':
      return readRows(lines);
    case 'ini':
      return readIni(lines);
  }
}
