import type { ListedSourceKind } from './source-kinds.js';

/** A source that an address of people may mean. */
export interface RecognisedSource {
  readonly kind: ListedSourceKind;
  readonly scheme: string;
  /** Null if only the connector can read the address. */
  readonly target: string | null;
  readonly config: Readonly<Record<string, string>>;
}

/** Returns the sources that an address may mean, the most specific one first. */
export function recogniseAddress(
  kinds: readonly ListedSourceKind[],
  address: string,
): RecognisedSource[] {
  const text = address.trim();
  const found = kinds.flatMap((kind) => recogniseAs(kind, text) ?? []);
  return found.sort((a, b) => b.length - a.length).map(({ source }) => source);
}

function recogniseAs(
  kind: ListedSourceKind,
  text: string,
): { readonly source: RecognisedSource; readonly length: number } | null {
  const [scheme = ''] = kind.schemes;
  for (const { match, target, config = {} } of kind.addresses) {
    const found = matchOf(match, text);
    if (found === null) continue;
    const settings = Object.entries(config).map(([name, value]) => [
      name,
      fill(value, text, found),
    ]);
    const source = {
      kind,
      scheme,
      target: target === undefined ? null : fill(target, text, found),
      config: Object.fromEntries(settings),
    };
    return { source, length: found[0].length };
  }
  return null;
}

/** A package may have a wrong expression. */
function matchOf(pattern: string, text: string): RegExpExecArray | null {
  try {
    return new RegExp(pattern, 'i').exec(text);
  } catch {
    return null;
  }
}

function fill(template: string, text: string, groups: readonly string[]): string {
  return template.replaceAll(/\$(\d)/g, (_, group: string) =>
    group === '0' ? text : (groups[Number(group)] ?? ''),
  );
}
