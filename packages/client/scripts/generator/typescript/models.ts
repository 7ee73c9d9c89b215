import { dereference, type OpenApiDocument, type Schema } from '../document.js';
import { pascalCase } from '../names.js';
import { docComment, propertyKey } from './names.js';

/** Turns schemas into TypeScript types. Collects named types as models. */
export class Models {
  readonly #document: OpenApiDocument;
  readonly #declarations = new Map<string, { schema: string; text: string }>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** Returns the type of a schema, or the name of its model. */
  typeOf(schema: Schema): string {
    const target = dereference(this.#document, schema);
    const name = target.title ?? schema.$ref?.split('/').at(-1);
    return name === undefined ? this.#inline(target) : this.#model(pascalCase(name), target);
  }

  /** Returns declarations of all collected models, by name. */
  declarations(): string {
    const sorted = [...this.#declarations].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { text }]) => text).join('\n');
  }

  /** Returns the `names` that are models, in order. Ignores words in comments. */
  importsIn(code: string): string[] {
    const words = new Set(code.replaceAll(/\/\*\*.*?\*\//gs, '').match(/\w+/g));
    return [...this.#declarations.keys()].filter((name) => words.has(name)).sort();
  }

  #model(name: string, schema: Schema): string {
    const source = JSON.stringify(schema);
    const known = this.#declarations.get(name);
    if (known !== undefined && known.schema !== source) {
      throw new Error(`two different schemas have the title ${name}`);
    }
    if (known === undefined) {
      this.#declarations.set(name, { schema: source, text: '' });
      this.#declarations.set(name, { schema: source, text: this.#declaration(name, schema) });
    }
    return name;
  }

  #declaration(name: string, schema: Schema): string {
    const doc = docComment(schema.description);
    return schema.type === 'object' && schema.properties !== undefined
      ? `${doc}export interface ${name} ${this.#object(schema)}\n`
      : `${doc}export type ${name} = ${this.#inline(schema)};\n`;
  }

  #inline(schema: Schema): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) return union(choices.map((choice) => this.typeOf(choice)));
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    return union(types.map((type: string | undefined) => this.#simple(type, schema)));
  }

  #simple(type: string | undefined, schema: Schema): string {
    if (type === 'integer' || type === 'number') return 'number';
    if (schema.format === 'binary') return 'Blob';
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (type === 'object') return this.#object(schema);
    if (type !== 'array') return 'unknown';
    const item = schema.items === undefined ? 'unknown' : this.typeOf(schema.items);
    return `readonly (${item})[]`;
  }

  #object(schema: Schema): string {
    const extra = schema.additionalProperties;
    if (schema.properties === undefined) {
      const value = typeof extra === 'object' ? this.typeOf(extra) : 'unknown';
      return `Readonly<Record<string, ${value}>>`;
    }
    return `{\n${this.members(schema.properties, schema.required ?? [])}}`;
  }

  /** Returns the members of an interface. Optional members may also be undefined. */
  members(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
    return Object.entries(properties)
      .filter(([, schema]) => schema['x-untyped'] !== true)
      .map(([name, schema]) => {
        const type = this.typeOf(schema);
        const key = `readonly ${propertyKey(name)}`;
        const doc = docComment(schema.description);
        return required.includes(name)
          ? `${doc}${key}: ${type};\n`
          : `${doc}${key}?: ${type} | undefined;\n`;
      })
      .join('');
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
