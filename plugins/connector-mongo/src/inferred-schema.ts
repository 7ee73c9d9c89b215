import { typeOf } from './types.js';
import type { BsonDocument } from './values.js';

/** The path segment for the elements of a list. */
export const arrayElements = Symbol('elements');
type FieldPath = readonly (string | typeof arrayElements)[];

/** A field of documents at any depth. */
export interface InferredField {
  readonly path: FieldPath;
  /** The number of documents with this field. `types` counts documents by type. */
  readonly documents: number;
  readonly types: ReadonlyMap<string, number>;
}

const maxFields = 1000;
const maxSampledElements = 100;

/** Collects the fields and types of sample documents. */
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

  /** Whether there are more fields than the limit. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  add(document: BsonDocument): void {
    this.#documents++;
    const typesByPath = new Map<string, Set<string>>();
    this.#visit(document, [], typesByPath);
    for (const [name, types] of typesByPath) {
      const field = this.#fields.get(name);
      if (field === undefined) continue;
      field.documents++;
      for (const type of types) field.types.set(type, (field.types.get(type) ?? 0) + 1);
    }
  }

  #visit(value: unknown, path: FieldPath, typesByPath: Map<string, Set<string>>): void {
    const type = typeOf(value);
    if (path.length > 0 && !this.#addField(path, type, typesByPath)) return;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, maxSampledElements))
        this.#visit(element, [...path, arrayElements], typesByPath);
    } else if (type === 'object') {
      for (const [name, member] of Object.entries(Object(value)))
        this.#visit(member, [...path, name], typesByPath);
    }
  }

  /** Returns false if the limit of fields is reached. */
  #addField(path: FieldPath, type: string, typesByPath: Map<string, Set<string>>): boolean {
    const name = formatPath(path);
    if (!this.#fields.has(name)) {
      this.#isTruncated ||= this.#fields.size >= maxFields;
      if (this.#fields.size >= maxFields) return false;
      this.#fields.set(name, { path, documents: 0, types: new Map() });
    }
    typesByPath.set(name, (typesByPath.get(name) ?? new Set()).add(type));
    return true;
  }
}

/** Formats a path as `items[].name`. Quotes ambiguous names. */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((before, part) => {
    if (part === arrayElements) return `${before}[]`;
    const name = isPlain(part) ? part : JSON.stringify(part);
    return before === '' ? name : `${before}.${name}`;
  }, '');
}

/** Returns the path for a filter, which searches lists implicitly. Returns null if a filter cannot express it. */
export function filterPathOf(path: FieldPath): string | null {
  const names = path.filter((part) => part !== arrayElements);
  return names.every(isPlain) ? names.join('.') : null;
}

function isPlain(name: string): boolean {
  return name !== '' && !/[.[\]"\0]/.test(name) && !name.startsWith('$');
}
