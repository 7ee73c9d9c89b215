import type { SourceKinds } from '@trove/client';

/** Returns the schemes for a choice with their names: folders first, then by name. */
export function choicesOf({ kinds }: Pick<SourceKinds, 'kinds'>): [scheme: string, name: string][] {
  const choices = kinds.flatMap(({ schemes, name }) =>
    schemes.map((scheme, at): [string, string] => [
      scheme,
      at === 0 ? name : `${name} (${scheme})`,
    ]),
  );
  const folders = choices.filter(([scheme]) => scheme === 'file');
  return [...folders, ...choices.filter(([scheme]) => scheme !== 'file')];
}

/** Returns the target of a source from its kind and the answer of a person, which may be the whole URI. */
export function targetOf(scheme: string, address: string): string {
  const text = address.trim();
  return scheme === 'file' || text.startsWith(`${scheme}:`) ? text : `${scheme}://${text}`;
}
