import type { Conversion, ConversionRequest } from '@trove/core';

import { convertDocx } from '../docx/docx.js';
import { convertPptx } from '../pptx/pptx.js';
import { convertXlsx } from '../xlsx/xlsx.js';
import { damaged } from '../errors.js';
import { readXml } from '../xml/read.js';
import { OfficePackage } from './office-package.js';

/** Converters by the root of the main part, because names and media types of these formats are often wrong. */
const converters: Readonly<Record<string, (document: OfficePackage) => Conversion>> = {
  document: convertDocx,
  presentation: convertPptx,
  workbook: convertXlsx,
};

export function convertOffice({ bytes }: ConversionRequest): Conversion {
  const document = new OfficePackage(bytes);
  if (document.main.endsWith('.bin')) throw damaged('is in the binary format of Excel (.xlsb)');
  const root = rootOf(document);
  const convert = Object.hasOwn(converters, root) ? converters[root] : undefined;
  if (convert === undefined)
    throw damaged(`has a main part of an unknown kind, \`${root.slice(0, 40)}\``);
  return convert(document);
}

function rootOf({ archive, main }: OfficePackage): string {
  let root = '';
  readXml(archive, main, {
    whole: () => false,
    take: () => {},
    enter: (name) => {
      root ||= name;
    },
    enough: () => root !== '',
  });
  return root;
}
