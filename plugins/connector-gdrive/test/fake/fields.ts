/** The members that an answer has, by name. Null: the member with everything in it. */
export type Mask = ReadonlyMap<string, Mask | null>;

/** Parses `nextPageToken,files(id,owners/displayName)`. Null: the mask is invalid. */
export function parseFields(fields: string): Mask | null {
  const tokens = fields.match(/[\w*]+|[(),/]/g) ?? [];
  if (tokens.join('') !== fields.replaceAll(/\s/g, '')) return null;
  let at = 0;
  const members = (): Mask | null => {
    const mask = new Map<string, Mask | null>();
    do {
      const name = tokens[at++];
      if (name === undefined || !/^[\w*]+$/.test(name)) return null;
      const below = nested();
      if (below === null) return null;
      mask.set(name, below === 'all' ? null : below);
    } while (tokens[at] === ',' && at++ > 0);
    return mask;
  };
  const nested = (): Mask | 'all' | null => {
    if (tokens[at] === '/') {
      at++;
      const name = tokens[at++];
      const below = name === undefined ? null : nested();
      if (name === undefined || below === null) return null;
      return new Map([[name, below === 'all' ? null : below]]);
    }
    if (tokens[at] !== '(') return 'all';
    at++;
    const mask = members();
    return mask !== null && tokens[at++] === ')' ? mask : null;
  };
  const mask = members();
  return at === tokens.length ? mask : null;
}

/** Returns the members of a value that a mask names. */
export function project(value: unknown, mask: Mask): unknown {
  if (mask.has('*')) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const below = mask.get(name);
      if (below === undefined) return [];
      return [[name, below === null ? member : project(member, below)]];
    }),
  );
}
