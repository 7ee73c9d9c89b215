/** A rule for the objects of a source. Members that the form does not show are kept. */
export interface FormRule {
  readonly match: string;
  readonly isIndexed: boolean;
  readonly others: Readonly<Record<string, unknown>>;
}

/** Returns the rules of a configuration. */
export function rulesOf(config: Readonly<Record<string, unknown>>): FormRule[] {
  const rules: unknown[] = Array.isArray(config['objects']) ? config['objects'] : [];
  return rules.filter(isRecord).map(({ match, indexable, ...others }) => ({
    match: typeof match === 'string' ? match : '',
    isIndexed: indexable !== false,
    others,
  }));
}

/** Returns a configuration with other rules. Rules without a pattern are left out. */
export function withRules(
  config: Readonly<Record<string, unknown>>,
  rules: readonly FormRule[],
): Record<string, unknown> {
  const { objects: _, ...rest } = config;
  const objects = rules
    .filter(({ match }) => match.trim() !== '')
    .map(({ match, isIndexed, others }) => ({
      match: match.trim(),
      ...(isIndexed ? {} : { indexable: false }),
      ...others,
    }));
  return objects.length === 0 ? rest : { ...rest, objects };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
