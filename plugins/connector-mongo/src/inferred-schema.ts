import { typeOf } from './types.js';
import type { BsonDocument } from './values.js';

/** What stands in a path for the elements of a list. */
export const arrayElements = Symbol('elements');
type FieldPath = readonly (string | typeof arrayElements)[];

/** A field that documents have, at any depth. */
export interface InferredField {
  readonly path: FieldPath;
  /** How many documents have it, and with how many of them it is of a type. */
  readonly documents: number;
  readonly types: ReadonlyMap<string, number>;
}

const maxFields = 1000;
const maxSampledElements = 100;

/** What some documents of a collection are like. */
export class InferredSchema {
  readonly #fields = new Map<
    string,
    { path: FieldPath; documents: number; types: Map<string, number> }
  >();
  #documents = 0;
  #isTruncated = false;

  get documents(): number {
    return this.#documents;
  }

  get fields(): readonly InferredField[] {
    return [...this.#fields.values()];
  }

  /** There are more fields than are told of. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  add(document: BsonDocument): void {
    this.#documents++;
    const met = new Map<string, Set<string>>();
    this.#meet(document, [], met);
    for (const [name, types] of met) {
      const field = this.#fields.get(name);
      if (field === undefined) continue;
      field.documents++;
      for (const type of types) field.types.set(type, (field.types.get(type) ?? 0) + 1);
    }
  }

  #meet(value: unknown, path: FieldPath, met: Map<string, Set<string>>): void {
    const type = typeOf(value);
    if (path.length > 0 && !this.#note(path, type, met)) return;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, maxSampledElements))
        this.#meet(element, [...path, arrayElements], met);
    } else if (type === 'object') {
      for (const [name, member] of Object.entries(Object(value)))
        this.#meet(member, [...path, name], met);
    }
  }

  /** False: it is one too many. */
  #note(path: FieldPath, type: string, met: Map<string, Set<string>>): boolean {
    const name = formatPath(path);
    if (!this.#fields.has(name)) {
      this.#isTruncated ||= this.#fields.size >= maxFields;
      if (this.#fields.size >= maxFields) return false;
      this.#fields.set(name, { path, documents: 0, types: new Map() });
    }
    met.set(name, (met.get(name) ?? new Set()).add(type));
    return true;
  }
}

/** `items[].name`; names that would be read as something else stand in quotation marks. */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((before, part) => {
    if (part === arrayElements) return `${before}[]`;
    const name = isPlain(part) ? part : JSON.stringify(part);
    return before === '' ? name : `${before}.${name}`;
  }, '');
}

/** The path as filters have it, which look into lists by themselves; null: they cannot name it. */
export function filterPathOf(path: FieldPath): string | null {
  const names = path.filter((part) => part !== arrayElements);
  return names.every(isPlain) ? names.join('.') : null;
}

function isPlain(name: string): boolean {
  return name !== '' && !/[.[\]"\0]/.test(name) && !name.startsWith('$');
}
