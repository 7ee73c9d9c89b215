import { readdir, readFile } from 'node:fs/promises';
import { readSourceKinds, type SourceKind } from '@trove/runtime';

const root = new URL('../../../../', import.meta.url);
const plugins = new URL('plugins/', root);
const begin = '<!-- The table of sources is generated: npm run sources -w trove -->';
const end = '<!-- End of the table of sources -->';

interface DescribedKind extends SourceKind {
  /** The folder of the plugin. */
  readonly folder: string;
}

/**
 * Returns the kinds of sources of all connectors, by name. Throws an error that names the package.json if a scheme has
 * no description, or a description is wrong.
 */
export async function sourceKinds(): Promise<readonly DescribedKind[]> {
  const kinds: DescribedKind[] = [];
  for (const folder of await readdir(plugins)) {
    const file = `plugins/${folder}/package.json`;
    const manifest: unknown = JSON.parse(await readFile(new URL(file, root), 'utf8'));
    const described = readSourceKinds(manifest, file);
    const schemes = described.flatMap((kind) => kind.schemes);
    const missing = schemesOf(manifest).find((scheme) => !schemes.includes(scheme));
    if (missing !== undefined)
      throw new Error(`${file}: describe the scheme ${missing} in trove.sources`);
    kinds.push(...described.map((kind) => ({ ...kind, folder })));
  }
  return kinds.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function schemesOf(manifest: unknown): readonly string[] {
  const { connector } = Object(Object(manifest)['trove']);
  return Array.isArray(connector) ? connector.map(String) : [];
}

/** Returns the generated files by path from the root of the repository. */
export async function sourceFiles(): Promise<Readonly<Record<string, string>>> {
  const kinds = await sourceKinds();
  const readme = await readFile(new URL('README.md', root), 'utf8');
  return {
    'docs/reference/sources.md': pageOf(kinds),
    'README.md': withTable(readme, kinds),
  };
}

function pageOf(kinds: readonly DescribedKind[]): string {
  const rows = kinds.map((kind) => [
    `[${kind.name}](../../plugins/${kind.folder}/README.md)`,
    schemesIn(kind),
    kind.content,
    kind.incremental,
    kind.deletions,
    kind.grep,
  ]);
  const head = ['source', 'schemes', 'content', 'a later sync reads', 'finds deletions', 'grep'];
  const rights = kinds.map(({ name, rights: needed, tested }) => [name, needed, tested]);
  const commands = kinds.map(({ name, schemes, addresses }) => [
    name,
    `\`trove-server connector add ${schemes[0]}\``,
    addresses.map(({ example }) => `\`${example}\``).join(', '),
  ]);
  return `<!-- Written by \`npm run sources -w trove\` from the package.json of each connector. -->

# Sources

\`trove-server connector add\` asks for the kind of source, or for an address that you paste. \`trove add TARGET\` adds a source whose target you know. Third-party
packages [add more kinds](plugin-packages.md).

${tableOf(head, rows)}

*In the source* means that the source itself searches. Otherwise, \`grep\` reads the objects of the source.

## Rights and tests

Trove only reads. The rights are those that a token or a user needs.

${tableOf(['source', 'rights', 'tested with'], rights)}

## Add a source

The wizard recognises these addresses and proposes the source.

${tableOf(['source', 'command', 'addresses'], commands)}
`;
}

function withTable(readme: string, kinds: readonly DescribedKind[]): string {
  const rows = kinds.map((kind) => [
    `[${kind.name}](plugins/${kind.folder}/README.md)`,
    kind.content,
    schemesIn(kind),
  ]);
  const [before = '', rest = ''] = readme.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`README.md lacks ${begin} and ${end}`);
  const table = tableOf(['source', 'content', 'schemes'], rows);
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

function schemesIn({ schemes }: SourceKind): string {
  return schemes.map((scheme) => `\`${scheme}\``).join(', ');
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map(() => '---');
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
