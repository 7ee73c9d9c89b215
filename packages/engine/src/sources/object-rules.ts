import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import picomatch from 'picomatch';
import { validate } from '../validation.js';

const names = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

export const objectRulesSchema = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    properties: {
      match: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: 'Glob over the path below the root; the first rule that matches counts.',
      },
      indexable: {
        type: 'boolean',
        default: true,
        description: 'false: listed and read, not indexed.',
      },
      chunk_max: {
        type: 'integer',
        minimum: 1,
        description: 'Chunks of one object at most; the rest is not searchable.',
      },
      priority: {
        type: 'integer',
        minimum: -1000,
        maximum: 1000,
        description: 'Lower is indexed first.',
      },
      text_fields: {
        ...names,
        description: 'Fields of a record that are searched; default: all texts.',
      },
      metadata_fields: {
        ...names,
        description: 'Fields of a record that can be filtered by; default: all scalars.',
      },
      locator_fields: { ...names, description: 'Fields that identify a record; default: its key.' },
    },
    required: ['match'],
    additionalProperties: false,
  },
} as const satisfies JsonSchema;

export type ObjectRule = Infer<typeof objectRulesSchema>[number];

/** The `objects` of a connector's configuration, ready to be asked for a path. */
export class ObjectRules {
  readonly #rules: readonly { rule: ObjectRule; matches: (path: string) => boolean }[];

  private constructor(rules: readonly ObjectRule[]) {
    this.#rules = rules.map((rule) => ({ rule, matches: picomatch(rule.match, { dot: true }) }));
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
    try {
      return { rules: new ObjectRules(rules), rest };
    } catch (cause) {
      throw new TroveError('config_invalid', 'config.objects: a glob cannot be understood', {
        cause,
      });
    }
  }

  of(path: string): ObjectRule | null {
    return this.#rules.find(({ matches }) => matches(path))?.rule ?? null;
  }
}
