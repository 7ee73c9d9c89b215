import { TroveError, type JsonSchema } from '@trove/core';

type SchemaNode = Readonly<Record<string, unknown>>;

/** One value of a configuration, and what the schema says about it. */
export interface ConfigValue {
  /** Keys and indices from the top level. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** False if the schema does not describe the value, so validation will reject it. */
  readonly known: boolean;
  /** Whether any branch of the schema marks the value or one of its parents as `writeOnly`. */
  readonly secret: boolean;
  /** Whether any branch of the schema declares the value as a URL or host. */
  readonly isAddress: boolean;
  readonly replace: (value: unknown) => void;
}

const maxDepth = 64;
const addressFormats: ReadonlySet<unknown> = new Set(
  'uri uri-reference uri-template iri iri-reference url host hostname idn-hostname ipv4 ipv6'.split(
    ' ',
  ),
);

/**
 * Visits every value of a configuration from top to bottom, including replacements. Does not evaluate `oneOf`
 * and other conditions: a value is secret if any branch marks it as secret.
 */
export function visitValues(
  schema: JsonSchema,
  config: Record<string, unknown>,
  visit: (place: ConfigValue) => void,
): void {
  const root: SchemaNode = { ...schema };
  const enter = (
    holder: object,
    nodes: readonly SchemaNode[],
    path: readonly string[],
    hidden: boolean,
  ) => {
    if (path.length > maxDepth) {
      throw new TroveError('config_invalid', `config: is nested deeper than ${maxDepth} levels`);
    }
    for (const [key, value] of Object.entries(holder)) {
      const found = branchesOf(
        root,
        nodes.flatMap((node) => childSchemas(node, holder, key)),
      );
      const secret = hidden || found.some((node) => node['writeOnly'] === true);
      let current: unknown = value;
      visit({
        path: [...path, key],
        value,
        known: found.length > 0,
        secret,
        isAddress: found.some(({ format }) => addressFormats.has(format)),
        replace: (other) => {
          current = other;
          Reflect.set(holder, key, other);
        },
      });
      if (typeof current === 'object' && current !== null) {
        enter(current, found, [...path, key], secret);
      }
    }
  };
  enter(config, branchesOf(root, [root]), [], false);
}

/** Returns the names of the top-level properties in all branches of a schema. */
export function propertyNames(schema: JsonSchema): string[] {
  const root: SchemaNode = { ...schema };
  return branchesOf(root, [root]).flatMap((node) => Object.keys(asNode(node['properties']) ?? {}));
}

/** Returns all schemas that may apply in place of the given ones: their branches and references. */
function branchesOf(root: SchemaNode, nodes: readonly SchemaNode[]): SchemaNode[] {
  const found = new Set<SchemaNode>();
  const add = (value: unknown): void => {
    const node = asNode(value);
    if (node === null || found.has(node)) return;
    found.add(node);
    for (const name of ['allOf', 'anyOf', 'oneOf']) asList(node[name]).forEach(add);
    for (const name of ['then', 'else']) add(node[name]);
    for (const name of ['dependentSchemas', 'dependencies']) {
      Object.values(asNode(node[name]) ?? {}).forEach(add);
    }
    if (typeof node['$ref'] === 'string') add(resolvePointer(root, node['$ref']));
  };
  nodes.forEach(add);
  return [...found];
}

/** Returns the schemas of a key of an object or an index of an array. */
function childSchemas(node: SchemaNode, holder: object, key: string): SchemaNode[] {
  const schemas = Array.isArray(holder)
    ? itemSchemas(node, Number(key))
    : propertySchemas(node, key);
  return schemas.map(asNode).filter((found) => found !== null);
}

function itemSchemas(node: SchemaNode, position: number): unknown[] {
  const { items, prefixItems, additionalItems } = node;
  const one = Array.isArray(items) ? asList(items)[position] : items;
  return [one, asList(prefixItems)[position], additionalItems];
}

function propertySchemas(node: SchemaNode, key: string): unknown[] {
  const properties = asNode(node['properties']) ?? {};
  const patterns = Object.entries(asNode(node['patternProperties']) ?? {});
  const named = [
    ...(Object.hasOwn(properties, key) ? [properties[key]] : []),
    ...patterns
      .filter(([pattern]) => new RegExp(pattern, 'u').test(key))
      .map(([, schemas]) => schemas),
  ];
  return named.length > 0 ? named : [node['additionalProperties']];
}

/** Follows a pointer into the schema. Treats the target of any other reference as secret. */
function resolvePointer(root: SchemaNode, reference: string): unknown {
  const [start, ...steps] = reference.split('/');
  let found: unknown = start === '#' ? root : null;
  for (const step of steps) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = asNode(found)?.[name];
  }
  return asNode(found) === null ? { writeOnly: true } : found;
}

/** `true` allows anything. `false` allows nothing, so it has no node. */
function asNode(value: unknown): SchemaNode | null {
  if (value === true) return emptySchema;
  return isNode(value) ? value : null;
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const emptySchema: SchemaNode = {};

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
