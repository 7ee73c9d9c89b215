import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import { encodingOf } from '@trove/text/encodings';
import { PathPattern } from '@trove/text/glob';
import { validate } from '@trove/runtime';
import { isFieldPath } from './field-path.js';
import { pathsIn } from './template.js';

const fieldPath = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const fieldPaths = { type: 'array', items: fieldPath } as const;

export const objectRulesSchema = {
  type: 'array',
  maxItems: 200,
  items: {
    type: 'object',
    properties: {
      match: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description:
          'Pattern of paths, as in .gitignore, with {a,b} for alternatives. The first matching rule applies.',
      },
      indexable: {
        type: 'boolean',
        default: true,
        description: 'false: objects are listed and can be read, but are not indexed.',
      },
      chunk_max: {
        type: 'integer',
        minimum: 1,
        description:
          'Maximum number of chunks of a file, record or thread. The rest is not searchable.',
      },
      priority: {
        type: 'integer',
        minimum: -1000,
        maximum: 1000,
        description: 'Lower is indexed first.',
      },
      encoding: {
        type: 'string',
        minLength: 1,
        maxLength: 40,
        description: 'Encoding of the texts, such as shift_jis or windows-1251. Default: detected.',
      },
      text_fields: {
        ...fieldPaths,
        description:
          'Searchable fields of a record. Default: its text, or all fields. Paths: a.b, a[].b, a[0].b.',
      },
      metadata_fields: {
        ...fieldPaths,
        description:
          'Fields of a record for filters, as paths. Default: all scalars and lists of scalars.',
      },
      locator_fields: {
        ...fieldPaths,
        description:
          'Fields that identify a record. Default: its key. `lines` and `chars` are reserved.',
      },
      group_by: {
        ...fieldPath,
        description: 'Records with the same value of this field are found and opened together.',
      },
      render: {
        type: 'string',
        minLength: 1,
        maxLength: 10_000,
        description:
          'Template of the searchable text of a record, with {{a.b}} for the value at a path. Replaces text_fields.',
      },
    },
    required: ['match'],
    additionalProperties: false,
  },
} as const satisfies JsonSchema;

export type ObjectRule = Infer<typeof objectRulesSchema>[number];

/** The `objects` rules of a connector's configuration, compiled for matching. */
export class ObjectRules {
  readonly #rules: readonly { rule: ObjectRule; patterns: readonly PathPattern[] }[];

  private constructor(rules: readonly ObjectRule[]) {
    this.#rules = rules.map((rule, index) => {
      const place = `config.objects[${index}]`;
      assertNotReserved(rule.locator_fields, `${place}.locator_fields`);
      assertNotReserved(rule.group_by === undefined ? [] : [rule.group_by], `${place}.group_by`);
      assertPaths(rule, place);
      const known = withEncoding(rule, place);
      return { rule: known, patterns: patternsOf(rule.match, `${place}.match`) };
    });
  }

  /** Splits a configuration into the plugin's part and the rules. Throws `config_invalid`. */
  static split(config: Readonly<Record<string, unknown>> | null): {
    rules: ObjectRules;
    rest: Readonly<Record<string, unknown>> | null;
  } {
    if (config === null || !('objects' in config))
      return { rules: new ObjectRules([]), rest: config };
    const { objects, ...rest } = config;
    const rules = validate(objectRulesSchema, objects, 'config.objects', 'config_invalid');
    return { rules: new ObjectRules(rules), rest };
  }

  /** Returns warnings after a full listing in which only the rules in `matched` matched an object. */
  unmatchedWarnings(matched: ReadonlySet<ObjectRule>): string[] {
    const idle = this.#rules.filter(({ rule }) => !matched.has(rule));
    return idle.map(({ rule }) => `The rule for objects \`${rule.match}\` matched nothing.`);
  }

  /** Whether any rule sets an encoding. */
  get hasEncodings(): boolean {
    return this.#rules.some(({ rule }) => rule.encoding !== undefined);
  }

  of(path: string): ObjectRule | null {
    if (this.#rules.length === 0) return null;
    const names = path.split('/');
    const first = this.#rules.find(({ patterns }) => patterns.some((each) => each.covers(names)));
    return first?.rule ?? null;
  }
}

const maxAlternatives = 100;

/** Expands `{a,b}` in a pattern. Throws `config_invalid` for more than a hundred alternatives. */
function alternativesOf(pattern: string, place: string): string[] {
  const [start, ...rest] = pattern.split(/(?<!\\)\{([^{}]*,[^{}]*)\}/);
  let written = [start ?? ''];
  for (let index = 0; index < rest.length; index += 2) {
    const [choices = '', text = ''] = rest.slice(index, index + 2);
    written = written.flatMap((begin) => choices.split(',').map((each) => begin + each + text));
    if (written.length <= maxAlternatives) continue;
    throw new TroveError('config_invalid', `${place}: has over ${maxAlternatives} alternatives`);
  }
  return written;
}

function patternsOf(match: string, place: string): PathPattern[] {
  return alternativesOf(match, place).map((alternative) => {
    const pattern = PathPattern.parse(alternative);
    if (pattern !== null) return pattern;
    throw new TroveError('config_invalid', `${place}: is not a valid path pattern`, {
      suggestions: ['Write it as in a .gitignore: *.csv, /docs, data/**/raw. Close every bracket.'],
    });
  });
}

/** Returns the rule with the canonical name of its encoding. Throws `config_invalid` for an unknown one. */
function withEncoding(rule: ObjectRule, place: string): ObjectRule {
  if (rule.encoding === undefined) return rule;
  const encoding = encodingOf(rule.encoding);
  if (encoding !== null) return { ...rule, encoding };
  const name = rule.encoding.slice(0, 40);
  throw new TroveError('config_invalid', `${place}.encoding: ${name} is not a known encoding`, {
    suggestions: ['Write it like utf-8, windows-1251, shift_jis, gb18030, koi8-r or iso-8859-2.'],
  });
}

function assertPaths(rule: ObjectRule, place: string): void {
  const { text_fields = [], metadata_fields = [], locator_fields = [], group_by, render } = rule;
  const given = {
    text_fields,
    metadata_fields,
    locator_fields,
    group_by: group_by === undefined ? [] : [group_by],
    render: render === undefined ? [] : pathsIn(render),
  };
  for (const [member, paths] of Object.entries(given)) {
    const wrong = paths.find((path) => !isFieldPath(path));
    if (wrong === undefined) continue;
    throw new TroveError(
      'config_invalid',
      `${place}.${member}: ${wrong.slice(0, 100)} is not a field path`,
      { suggestions: ['Write it like name, address.city, items[].name or items[0].name.'] },
    );
  }
  if (render !== undefined && pathsIn(render).length === 0)
    throw new TroveError('config_invalid', `${place}.render: names no field`, {
      suggestions: ['Put fields in double braces: {{title}} by {{author.name}}.'],
    });
  if (render !== undefined && rule.text_fields !== undefined)
    throw new TroveError('config_invalid', `${place}: has render and text_fields`, {
      suggestions: ['Both define the searchable text. Keep one of them.'],
    });
}

/** Refuses keys that locators use for parts of a text. */
function assertNotReserved(fields: readonly string[] | undefined, place: string): void {
  const taken = ['lines', 'chars'].filter((name) => fields?.includes(name));
  if (taken.length === 0) return;
  throw new TroveError('config_invalid', `${place}: ${taken.join(' and ')} may not be used`, {
    suggestions: ['Locators use these keys for parts of texts. Choose other fields.'],
  });
}
