import type { JsonSchema } from '@trove/core';

const childKeys = ['items', 'additionalProperties'] as const;
const listKeys = ['oneOf', 'anyOf'] as const;

/** Collects the schemas with a title. The document contains each once and refers to it by name. */
export class Components {
  readonly #schemas = new Map<string, unknown>();

  /** Replaces the schema and every nested schema that has a title by references. */
  refer(schema: JsonSchema): Record<string, unknown> {
    const { title } = schema;
    if (title === undefined) return this.#inline(schema);
    if (!this.#schemas.has(title)) {
      this.#schemas.set(title, {});
      this.#schemas.set(title, this.#inline(schema));
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  schemas(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => a.localeCompare(b, 'en')));
  }

  /** Keeps the description of a member next to a reference. */
  #member(schema: JsonSchema): Record<string, unknown> {
    const { title, description } = schema;
    const referred = this.refer(schema);
    const keeps = title !== undefined && description !== undefined;
    return keeps ? { ...referred, description } : referred;
  }

  #inline(schema: JsonSchema): Record<string, unknown> {
    const copy: Record<string, unknown> = { ...schema };
    const { properties } = schema;
    if (properties !== undefined) {
      copy['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, this.#member(property)]),
      );
    }
    for (const key of childKeys) {
      const child = schema[key];
      if (typeof child === 'object') copy[key] = this.refer(child);
    }
    for (const key of listKeys) {
      const list = schema[key];
      if (list !== undefined) copy[key] = list.map((item) => this.refer(item));
    }
    return copy;
  }
}
