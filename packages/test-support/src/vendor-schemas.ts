import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A request to a fake service with its answer. */
interface Exchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** The parsed body. */
    readonly body?: unknown;
    readonly query: URLSearchParams;
  };
  readonly status: number;
  /** The parsed body. Undefined if it is not JSON. */
  readonly json: unknown;
}

/** An operation of a vendor's API with schemas for its answers. */
interface Operation {
  readonly name: string;
  readonly method: string;
  /**
   * With parameters in braces: `/repos/{owner}/{repo}`, also those of the query: `/parts/{id}?part={n}`. `*`: every path, for
   * errors that every operation has.
   */
  readonly path: string;
  readonly status: number;
  /** The schemas of errors, by status or by a condition. */
  readonly errors: Readonly<Record<string, string>>;
}

interface Validator {
  cases(service: string): readonly Operation[];
  /** Returns the problems of an answer. */
  validate(
    service: string,
    operation: string,
    answer: unknown,
    options: { readonly status: number; readonly query?: string },
  ): string[];
}

/** Checks the answers of a fake service against the vendor's schemas. */
export interface VendorSchemas {
  /** Returns the problems of all answers, and operations that no schema describes. */
  problems(exchanges: readonly Exchange[]): string[];
}

/** The folder with the schemas, from the environment. Undefined: tests that need it are skipped. */
export const schemasFolder = process.env['TROVE_TEST_SPECS'];

/** The reason to skip tests with schemas, or null. The schemas are not part of the repository, so no run requires them. */
export const missingSchemas =
  schemasFolder === undefined ? 'TROVE_TEST_SPECS names no folder with the schemas' : null;

/** The reason to skip tests with the schemas of a service, or null. */
export function missingSchemasOf(service: string): string | null {
  if (schemasFolder === undefined || existsSync(join(schemasFolder, service)))
    return missingSchemas;
  return `${schemasFolder} has no schemas of ${service}`;
}

/** Loads the schemas of a service. `base`: the part of the fake's paths before the vendor's paths. */
export async function loadVendorSchemas(
  folder: string,
  service: string,
  base = '',
): Promise<VendorSchemas> {
  const file = join(folder, 'validate.mjs');
  if (!existsSync(file)) throw new Error(`TROVE_TEST_SPECS: ${file} does not exist`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the folder's README documents these functions
  const { cases, validate } = (await import(pathToFileURL(file).href)) as Validator;
  const operations = cases(service).toSorted(
    (a, b) => Number(hasQuery(b)) - Number(hasQuery(a)) || parametersIn(a) - parametersIn(b),
  );
  return {
    problems: (exchanges) =>
      exchanges.flatMap(({ request, status, json }) => {
        const { query }: { readonly query?: unknown } = Object(request.body);
        const path = request.path.slice(base.length);
        const full = `${path}?${request.query.toString()}`;
        const called = `${request.method} ${request.path} ${status}`;
        const matching = operations.filter(
          (operation) =>
            operation.method === request.method &&
            patternOf(operation.path).test(hasQuery(operation) ? full : path),
        );
        const found = matching.find((operation) => describes(operation, status)) ?? matching[0];
        if (found === undefined) return [`${called}: no schema describes this operation`];
        if (json === undefined) return [];
        const { name } = describes(found, status)
          ? found
          : (commonError(operations, status) ?? found);
        const options = { status, ...(typeof query === 'string' ? { query } : {}) };
        return validate(service, name, json, options).map((problem) => `${called}: ${problem}`);
      }),
  };
}

/** `/issues/comments` also matches `/issues/{number}`. The path with fewer parameters counts. */
function parametersIn({ path }: Operation): number {
  return path.split('{').length;
}

function hasQuery({ path }: Operation): boolean {
  return path.includes('?');
}

function describes({ status, errors }: Operation, answered: number): boolean {
  return status === answered || String(answered) in errors;
}

/** An error that every operation may have. */
function commonError(operations: readonly Operation[], status: number): Operation | undefined {
  return operations.find((operation) => operation.path === '*' && describes(operation, status));
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
