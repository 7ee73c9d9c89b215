import type { ErrorObject } from 'ajv';

/** The errors of one alternative of a schema. */
type Branch = readonly ErrorObject[];

/**
 * Reduces the errors of `anyOf` and `oneOf`, which are those of all alternatives, to the errors of the alternative that the
 * value is meant to be. It has the type of the value and the constant that marks it, such as `by = "cursor"`, or else the
 * fewest errors.
 */
export function meantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .toSorted((a, b) => a.schemaPath.length - b.schemaPath.length);
  return choices.reduce<readonly ErrorObject[]>((left, choice) => {
    if (!left.includes(choice)) return left;
    const branches = branchesOf(choice, left);
    if (branches.length === 0) return left;
    const all = new Set(branches.flat());
    return left.flatMap((error) => {
      if (error === choice) return meantBranch(choice, branches);
      return all.has(error) ? [] : [error];
    });
  }, errors);
}

/** Groups the errors below a choice by its alternatives. */
function branchesOf(
  { schemaPath, instancePath }: ErrorObject,
  errors: readonly ErrorObject[],
): readonly Branch[] {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const isBelow = error.schemaPath.startsWith(`${schemaPath}/`);
    const isInside = `${error.instancePath}/`.startsWith(`${instancePath}/`);
    if (!isBelow || !isInside) continue;
    const [number = ''] = error.schemaPath.slice(schemaPath.length + 1).split('/');
    const branch = branches.get(number) ?? [];
    branch.push(error);
    branches.set(number, branch);
  }
  return [...branches.values()];
}

function meantBranch(choice: ErrorObject, branches: readonly Branch[]): Branch {
  const { instancePath, schemaPath } = choice;
  const isMark = ({ schemaPath: path }: ErrorObject): boolean =>
    /^\/\d+\/properties\/[^/]+\/const$/.test(path.slice(schemaPath.length));
  const fitting = branches.filter((branch) => !isOther(branch, instancePath));
  if (fitting.length === 0) return otherType(choice, branches);
  const marks = fitting.flatMap((branch) => branch.find(isMark) ?? []);
  const [mark] = marks;
  const meant = fitting.filter((branch) => !branch.some(isMark));
  if (meant.length === 0 && mark !== undefined) return [oneOfMarks(mark, marks)];
  const fewest = Math.min(...meant.map((branch) => branch.length));
  const [best = [], ...equal] = meant.filter((branch) => branch.length === fewest);
  if (equal.length === 0) return best;
  const common = best.filter((error) =>
    equal.every((branch) => branch.some((each) => isSame(each, error))),
  );
  return common.length === 0 ? best : common.map((error) => withAllNames(error, [best, ...equal]));
}

/** Whether the value itself is of another type or another constant. */
function isOther(branch: Branch, instancePath: string): boolean {
  return branch.every(
    (error) =>
      error.instancePath === instancePath &&
      ['type', 'const', 'enum', 'anyOf', 'oneOf'].includes(error.keyword),
  );
}

/** The value is none of the alternatives. Prefers those of its type, which name the allowed values. */
function otherType(choice: ErrorObject, branches: readonly Branch[]): Branch {
  const named = branches.find((branch) => branch.every(({ keyword }) => keyword === 'enum'));
  if (named !== undefined) return named;
  const types = branches.flatMap((branch) =>
    branch.flatMap(({ keyword, params }) => (keyword === 'type' ? [params['type']].flat() : [])),
  );
  const message = `must be ${[...new Set(types)].join(' or ')}`;
  return types.length === 0 ? [choice] : [{ ...choice, keyword: 'type', message }];
}

function oneOfMarks(mark: ErrorObject, marks: Branch): ErrorObject {
  const allowedValues = marks.map(({ params }): unknown => params['allowedValue']);
  return { ...mark, keyword: 'enum', params: { allowedValues } };
}

function isSame(one: ErrorObject, other: ErrorObject): boolean {
  return (
    one.keyword === other.keyword &&
    one.instancePath === other.instancePath &&
    one.params['additionalProperty'] === other.params['additionalProperty'] &&
    one.message === other.message
  );
}

/** Gives the error of an unknown name the known names of all alternatives. */
function withAllNames(error: ErrorObject, branches: readonly Branch[]): ErrorObject {
  if (error.keyword !== 'additionalProperties') return error;
  const properties: unknown[] = branches
    .flat()
    .filter((each) => isSame(each, error))
    .map(({ parentSchema }): unknown => parentSchema?.['properties']);
  return { ...error, parentSchema: { properties: Object.assign({}, ...properties) } };
}
