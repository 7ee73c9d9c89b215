import { dereference, type OpenApiDocument, type Schema } from '../document.js';
import { pascalCase } from '../names.js';
import { docstring, identifier, literal } from './names.js';

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Turns schemas into Python types. Collects their objects as models, each a dataclass. */
export class PythonModels {
  readonly #document: OpenApiDocument;
  readonly #classes = new Map<string, { schema: string; code: string }>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** Resolves a reference. Returns other schemas unchanged. */
  resolved(schema: Schema): Schema {
    return dereference(this.#document, schema);
  }

  /** Returns the annotation of a value. `place` names an object without a title. */
  typeOf(given: Schema, place: string): string {
    const schema = this.resolved(given);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) return union(choices.map((choice) => this.typeOf(choice, place)));
    return union(typesOf(schema).map((type) => this.#simple(type, schema, place)));
  }

  /** Returns the function that creates such a value from parsed JSON, or null if none is needed. */
  decoderOf(given: Schema, place: string): string | null {
    const schema = this.resolved(given);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) return this.#choiceDecoder(choices, place);
    const decoder = this.#plainDecoder(schema, place);
    return decoder !== null && typesOf(schema).includes('null') ? `optional(${decoder})` : decoder;
  }

  /** Returns all collected models, by name. */
  declarations(): string {
    return this.names()
      .map((name) => this.#classes.get(name)?.code ?? '')
      .join('\n\n');
  }

  names(): string[] {
    return [...this.#classes.keys()].sort();
  }

  #simple(type: string, schema: Schema, place: string): string {
    if (schema.format === 'binary') return 'FormFile';
    const scalar = scalars[type];
    if (scalar !== undefined) return scalar;
    if (type === 'array') return `list[${this.typeOf(schema.items ?? {}, oneOfMany(place))}]`;
    if (type !== 'object') return 'Any';
    if (schema.properties !== undefined) return this.#model(schema, place);
    const extra = schema.additionalProperties;
    return `dict[str, ${typeof extra === 'object' ? this.typeOf(extra, place) : 'Any'}]`;
  }

  #plainDecoder(schema: Schema, place: string): string | null {
    const types = typesOf(schema).filter((type) => type !== 'null');
    if (types.length !== 1) return null;
    const [type] = types;
    if (type === 'array') {
      const item = this.decoderOf(schema.items ?? {}, oneOfMany(place));
      return item === null ? null : `list_of(${item})`;
    }
    if (type !== 'object') return null;
    if (schema.properties !== undefined) return `${this.#model(schema, place)}.from_json`;
    const extra = schema.additionalProperties;
    const value = typeof extra === 'object' ? this.decoderOf(extra, place) : null;
    return value === null ? null : `dict_of(${value})`;
  }

  #choiceDecoder(choices: readonly Schema[], place: string): string | null {
    const decoders = choices.map((choice) => this.decoderOf(choice, place));
    if (decoders.every((decoder) => decoder === null)) return null;
    const models = decoders.map((decoder) => /^(\w+)\.from_json$/.exec(decoder ?? '')?.[1]);
    if (models.includes(undefined)) throw new Error(`${place} is an ambiguous union`);
    return `one_of(${models.join(', ')})`;
  }

  #model(schema: Schema, place: string): string {
    const name = pascalCase(schema.title ?? place);
    const source = JSON.stringify(schema);
    const known = this.#classes.get(name);
    if (known !== undefined && known.schema !== source) {
      throw new Error(`two different schemas have the name ${name}`);
    }
    if (known === undefined) {
      this.#classes.set(name, { schema: source, code: '' });
      this.#classes.set(name, { schema: source, code: this.#class(name, schema) });
    }
    return name;
  }

  #class(name: string, { properties = {}, required = [], description }: Schema): string {
    const members = Object.entries(properties)
      .filter(([, schema]) => schema['x-untyped'] !== true)
      .map(([key, schema]) => ({ key, schema, isRequired: required.includes(key) }))
      // Fields without a default come first.
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
    const fields = members.map(({ key, schema, isRequired }) => {
      const type = this.typeOf(schema, `${name} ${key}`);
      const renamed = identifier(key) === key ? '' : `metadata={"json": ${literal(key)}}`;
      const optional = union([type, 'None']);
      const value = isRequired
        ? `${type}${renamed === '' ? '' : ` = field(${renamed})`}`
        : `${optional} = ${renamed === '' ? 'None' : `field(default=None, ${renamed})`}`;
      return `    ${identifier(key)}: ${value}\n${docstring(schema.description, 4)}`;
    });
    const values = members.map(({ key, schema, isRequired }) => {
      const given = isRequired ? `value[${literal(key)}]` : `value.get(${literal(key)})`;
      const decoder = this.decoderOf(schema, `${name} ${key}`);
      const safe =
        isRequired || decoder?.startsWith('optional(') ? decoder : `optional(${decoder})`;
      return `            ${identifier(key)}=${decoder === null ? given : `${safe}(${given})`},\n`;
    });
    return (
      `@dataclass(frozen=True)\nclass ${name}:\n${docstring(description, 4)}` +
      `${fields.join('')}\n` +
      `    @classmethod\n    def from_json(cls, value: Any) -> ${name}:\n` +
      `        return cls(\n${values.join('')}        )\n`
    );
  }
}

/** Returns the singular of a property name: `failures` becomes `failure`. */
function oneOfMany(place: string): string {
  return place.replace(/s$/, '');
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? ['any'] : [type].flat();
}

/** `None` comes last, and `Any` absorbs the other members. */
export function union(types: readonly string[]): string {
  const all = [...new Set(types.flatMap(alternatives))];
  if (all.includes('Any')) return 'Any';
  return [...all.filter((type) => type !== 'None'), ...all.filter((type) => type === 'None')].join(
    ' | ',
  );
}

/** Splits a union into its members, except within brackets. */
function alternatives(type: string): string[] {
  return type.split(/ \| (?![^[]*\])/);
}
