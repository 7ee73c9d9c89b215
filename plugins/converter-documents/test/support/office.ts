import { strToU8, zipSync } from 'fflate';

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A relationship of a part. `external` marks one to another document. */
export interface Related {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
  readonly external?: boolean;
}

/** Returns a ZIP archive of texts by name. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  );
}

/** Returns an Office package of parts by name and their relationships. */
export function officeFile(
  main: string,
  parts: Readonly<Record<string, string>>,
  related: Readonly<Record<string, readonly Related[]>> = {},
): Uint8Array {
  const all = {
    ...related,
    '': [{ id: 'r1', kind: 'officeDocument', target: main }, ...(related[''] ?? [])],
  };
  const rels = Object.entries(all).map(([part, list]) => {
    const slash = part.lastIndexOf('/') + 1;
    return [
      `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`,
      relationshipsXml(list),
    ] as const;
  });
  return zip({ ...parts, ...Object.fromEntries(rels) });
}

function relationshipsXml(list: readonly Related[]): string {
  const each = list.map(
    ({ id, kind, target, external }) =>
      `<Relationship Id="${id}" Type="${relationships}/${kind}" Target="${target}"${external === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `<?xml version="1.0"?><Relationships>${each.join('')}</Relationships>`;
}
