import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import { validateOnce } from '../validation.js';
import type { PluginRegistry } from './registry.js';

const fact = (description: string) => ({ type: 'string', minLength: 1, description }) as const;

/** The schema of an item of `trove.sources` in the package.json of a connector. */
export const sourceKindSchema = {
  type: 'object',
  title: 'SourceKind',
  properties: {
    schemes: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'The schemes of these sources. The first one is proposed.',
    },
    name: fact('The name for people: `Jira`.'),
    content: fact('What is indexed: `issues with comments`.'),
    incremental: fact('What a sync after the first one reads.'),
    deletions: fact('When deletions are found.'),
    grep: fact('Where `grep` searches: `in the source`, `reads the records`.'),
    rights: fact('The rights that the login needs.'),
    tested: fact('The system that the tests run against.'),
    addresses: {
      type: 'array',
      description: 'Addresses that people paste, most specific first.',
      items: {
        type: 'object',
        properties: {
          match: fact('A regular expression for the address.'),
          example: fact('An address that it matches.'),
          target: fact(
            'The target, in which `$0` is the address and `$1` the first group. Default: the connector reads the address.',
          ),
          config: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Settings that follow from the address, with groups as in `target`.',
          },
        },
        required: ['match', 'example'],
        additionalProperties: false,
      },
    },
  },
  required: [
    'schemes',
    'name',
    'content',
    'incremental',
    'deletions',
    'grep',
    'rights',
    'tested',
    'addresses',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** A kind of source as the package of its connector describes it. */
export type SourceKind = Infer<typeof sourceKindSchema>;

/** A kind of source that can be added. A package without a description has its scheme as the name. */
export type ListedSourceKind = Pick<SourceKind, 'addresses' | 'name' | 'schemes'> &
  Partial<SourceKind>;

/** Reads `trove.sources` of a manifest. Throws `plugin_invalid` with the place of a missing or wrong member. */
export function readSourceKinds(manifest: unknown, file: string): readonly SourceKind[] {
  const { sources } = members(members(manifest)['trove']);
  if (sources === undefined) return [];
  const list = { type: 'array', items: sourceKindSchema } as const satisfies JsonSchema;
  try {
    return validateOnce(list, sources, 'trove.sources', 'config_invalid');
  } catch (error) {
    if (!(error instanceof TroveError)) throw error;
    throw new TroveError('plugin_invalid', `${file}: ${error.detail}`, { cause: error });
  }
}

/** Returns the kinds of sources of all connectors, by name, without loading the connectors. */
export async function listSourceKinds(
  registry: Pick<PluginRegistry, 'packages' | 'keys'>,
): Promise<ListedSourceKind[]> {
  const files = new Map(
    registry
      .packages()
      .flatMap(({ kind, key, file }) => (kind === 'connector' ? [[key, file] as const] : [])),
  );
  const described = await Promise.all(
    registry.keys('connector').map(async (key): Promise<ListedSourceKind> => {
      const kinds = await kindsOfModule(files.get(key) ?? null);
      const own = kinds.find(({ schemes }) => schemes.includes(key));
      return own ?? { schemes: [key], name: key, addresses: [] };
    }),
  );
  const byFirst = new Map(described.map((kind) => [kind.schemes[0], kind]));
  return [...byFirst.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** A broken description must not hide the connector. */
async function kindsOfModule(file: string | null): Promise<readonly SourceKind[]> {
  const manifest = file === null ? null : await manifestOf(file);
  if (manifest === null) return [];
  try {
    return readSourceKinds(manifest, file ?? '');
  } catch {
    return [];
  }
}

/** Returns the manifest of the package of a module, or null. */
async function manifestOf(file: string): Promise<unknown> {
  let folder = dirname(file.startsWith('file:') ? fileURLToPath(file) : file);
  for (;;) {
    try {
      return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    } catch {
      const above = dirname(folder);
      if (above === folder) return null;
      folder = above;
    }
  }
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
