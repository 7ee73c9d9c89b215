type Fields = ReadonlyMap<string, Fields>;

/** The members that every object has. */
const always = new Set(['gid', 'resource_type']);

/** Returns an item with the members that `opt_fields` names. Members of inner objects are paths: `assignee.name`. */
export function selectFields(item: unknown, optional: string): unknown {
  return select(item, fieldsOf(optional.split(',').map((path) => path.split('.'))));
}

function select(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((each) => select(each, fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = fields.get(name);
      if (inner !== undefined) return [[name, select(member, inner)]];
      return always.has(name) ? [[name, member]] : [];
    }),
  );
}

function fieldsOf(paths: readonly (readonly string[])[]): Fields {
  const names = new Set(paths.flatMap(([name]) => name ?? []));
  return new Map(
    [...names].map((name) => [
      name,
      fieldsOf(
        paths
          .filter(([first, second]) => first === name && second !== undefined)
          .map(([, ...rest]) => rest),
      ),
    ]),
  );
}
