import { MathReader } from '@trove/text/markdown';
import type { Chart } from '../markdown/chart.js';
import { childOf, descendantsOf, elementsOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import type { Archive } from '../zip/archive.js';
import { cellText } from './cells.js';
import { plainText } from './inline.js';
import { repeated, rowsOf } from './styles.js';

const maxRows = 10_000;
const maxColumns = 200;
/** The supported kinds of objects, by their main element. */
const kinds = new Set(['math', 'chart', 'spreadsheet']);

/**
 * Reads an object (`draw:object`): a document in a folder of the archive or inside the element. Returns the text of a
 * formula, the values of a chart or sheet, or '' for other kinds.
 */
export function objectIn(archive: Archive, object: XmlElement): Chart | string {
  const root = rootWithin(object) ?? rootAt(archive, object.attributes['xlink:href'] ?? '');
  if (root === undefined) return '';
  if (root.name === 'chart') return chartFrom(childOf(root, 'chart') ?? root);
  if (root.name === 'spreadsheet') return { titles: [], rows: rowsIn(root) };
  const math = new MathReader();
  readFormula(root, math);
  return math.formula;
}

function rootWithin(object: XmlElement): XmlElement | undefined {
  const body = childOf(childOf(object, 'document'), 'body');
  return [...elementsOf(body ?? object)].find(({ name }) => kinds.has(name));
}

function rootAt(archive: Archive, address: string): XmlElement | undefined {
  const folder = address.replace(/^\.\//, '').replace(/\/$/, '');
  const member = `${folder}/content.xml`;
  if (folder === '' || !archive.has(member)) return undefined;
  let root: XmlElement | undefined;
  readXml(archive, member, {
    whole: (name) => kinds.has(name),
    without: (name) => name === 'automatic-styles',
    take: (element) => {
      root ??= element;
    },
  });
  return root;
}

/** Reads the table of a chart, where programs store the last drawn values. */
function chartFrom(chart: XmlElement): Chart {
  const titles = ['title', 'subtitle'].flatMap((name) => descendantsOf(chart, name));
  return {
    titles: titles.map((title) => plainText(title)).filter((text) => text !== ''),
    rows: rowsIn(chart),
  };
}

function rowsIn(parent: XmlElement): string[][] {
  const rows = descendantsOf(parent, 'table').flatMap((table) => rowsOf(table));
  return rows
    .slice(0, maxRows)
    .map(cellsOf)
    .filter((row) => row.some((text) => text !== ''));
}

function cellsOf(row: XmlElement): string[] {
  const texts: string[] = [];
  for (const cell of elementsOf(row)) {
    if (!cell.name.endsWith('table-cell')) continue;
    const text = cell.name === 'table-cell' ? cellText(cell).trim() : '';
    const count = repeated(cell, 'columns', maxColumns);
    // The table contains NaN for missing values.
    for (let i = 0; i < count && texts.length < maxColumns; i++) {
      texts.push(text === 'NaN' ? '' : text);
    }
  }
  return texts;
}

function readFormula(element: XmlElement, math: MathReader): void {
  math.open(element.name, element.attributes);
  for (const child of element.children) {
    if (typeof child === 'string') math.text(child);
    else readFormula(child, math);
  }
  math.close();
}
