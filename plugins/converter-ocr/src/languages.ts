import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PluginContext } from '@trove/core';

/** The data of a language for Tesseract. */
export interface LanguageData {
  readonly name: string;
  /** Compressed with gzip. */
  readonly file: string;
}

const require = createRequire(import.meta.url);

/** Throws `not_available` and names the package to install. */
export function dataOf(name: string, error: PluginContext<unknown>['error']): LanguageData {
  const from = `@tesseract.js-data/${name}`;
  try {
    const folder = dirname(require.resolve(`${from}/package.json`));
    return { name, file: join(folder, '4.0.0_best_int', `${name}.traineddata.gz`) };
  } catch (cause) {
    throw error(
      'not_available',
      `Texts in the language ${name} cannot be recognised: ${from} is not installed`,
      {
        suggestions: [`Install it beside @trove/converter-ocr: npm install ${from}`],
        cause,
      },
    );
  }
}
