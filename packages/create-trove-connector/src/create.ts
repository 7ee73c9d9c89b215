import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkIntoClone } from './clone.js';
import { manifestOf, readmeOf, tsconfig } from './package-files.js';

export type Language = 'typescript' | 'javascript';

export interface CreateOptions {
  /** A URI scheme in lower case. It names the package: `notes` makes `trove-connector-notes`. */
  readonly scheme: string;
  /** Absolute path of an empty or new folder. */
  readonly folder: string;
  readonly language: Language;
  /** Describe a web service with the connector kit. */
  readonly http: boolean;
}

const templates = fileURLToPath(new URL('../template/', import.meta.url));
const files = {
  typescript: ['src/index.ts', 'test/service.ts', 'test/suite.test.ts'],
  javascript: ['index.js', 'test/service.js', 'test/suite.test.js'],
  'typescript-http': ['src/index.ts', 'test/suite.test.ts'],
  'javascript-http': ['index.js', 'test/suite.test.js'],
} as const;
/** Placeholder of the scheme in the templates. */
const placeholder = /__scheme__/g;

/**
 * Writes the files of a connector package. `isLinked` means that its dependencies are links into the
 * surrounding clone of Trove. Throws if the scheme cannot name a package, or if the folder is not empty.
 */
export async function createConnector({
  scheme,
  folder,
  language,
  http,
}: CreateOptions): Promise<{ isLinked: boolean }> {
  if (!/^[a-z][a-z0-9.-]{0,60}$/.test(scheme))
    throw new Error(
      `"${scheme}" cannot be the scheme. Use a letter from a to z, then letters, digits, dots and hyphens`,
    );
  const found = await readdir(folder).catch(() => []);
  if (found.length > 0)
    throw new Error(`${folder} is not empty. Name another folder with --folder`);
  const written: Record<string, string> = {
    'package.json': await manifestOf(scheme, { language, http }),
    'README.md': readmeOf(scheme, http),
    '.gitignore': 'node_modules/\ndist/\n',
    ...(language === 'typescript' ? { 'tsconfig.json': tsconfig } : {}),
  };
  const template = http ? (`${language}-http` as const) : language;
  for (const name of files[template]) {
    const text = await readFile(join(templates, template, name), 'utf8');
    written[name] = text.replaceAll(placeholder, scheme);
  }
  for (const [name, text] of Object.entries(written)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text, { flag: 'wx' });
  }
  return { isLinked: await linkIntoClone(folder, { language, http }) };
}
