import { TroveError, type JsonSchema } from '@trove/core';

type SchemaNode = Readonly<Record<string, unknown>>;

/** One place in a configuration, and what the schema says about it. */
export interface ConfigValue {
  /** Keys and indices, from the top. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** Whether the schema describes it; otherwise validation is about to reject it. */
  readonly known: boolean;
  /** Whether it, or something it is part of, is marked `writeOnly` in any branch of the schema. */
  readonly secret: boolean;
  /** Whether any branch of the schema says that it is a URL or a host. */
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
 * Visits every place in a configuration, top down. Replaced values are visited, too. It does not determine which branch
 * of `oneOf` and the like applies. A place is secret if it is secret in any branch.
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

/** The names of the top-level properties in any branch of a schema. */
export function propertyNames(schema: JsonSchema): string[] {
  const root: SchemaNode = { ...schema };
  return branchesOf(root, [root]).flatMap((node) => Object.keys(asNode(node['properties']) ?? {}));
}

/** The schemas that may apply where one does: its branches, and those it refers to. */
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

/** What a schema says about a key of an object or an index of an array. */
function childSchemas(node: SchemaNode, holder: object, key: string): SchemaNode[] {
  const said = Array.isArray(holder) ? itemSchemas(node, Number(key)) : propertySchemas(node, key);
  return said.map(asNode).filter((found) => found !== null);
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
    ...patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(key)).map(([, said]) => said),
  ];
  return named.length > 0 ? named : [node['additionalProperties']];
}

/** Follows pointers into the schema. What any other reference leads to may be a secret, and is treated as one. */
function resolvePointer(root: SchemaNode, reference: string): unknown {
  const [start, ...steps] = reference.split('/');
  let found: unknown = start === '#' ? root : null;
  for (const step of steps) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = asNode(found)?.[name];
  }
  return asNode(found) === null ? { writeOnly: true } : found;
}

/** `true` says nothing; `false` allows nothing, so there is nothing to describe. */
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
