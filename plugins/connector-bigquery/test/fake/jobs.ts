import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';

import { cutPage, fieldsForm, rowsForm, wantsMicros } from './forms.js';
import { notFound, problem } from './problems.js';
import type { BigQueryWorld, FakeCell, FakeField, FakeTable } from './world.js';

/** The result of a query. */
interface Result {
  readonly fields: readonly FakeField[];
  readonly rows: readonly (readonly FakeCell[])[];
  readonly bytes: number;
  readonly tables: readonly FakeTable[];
}

interface Job {
  readonly result: Result;
  /** The number of requests that still find the job running. */
  polls: number;
}

/** The page of a result that a request wants. */
interface ResultPage {
  readonly token: string | null;
  readonly size: number;
  readonly inMicros: boolean;
}

interface QueryBody {
  readonly query?: string;
  readonly maximumBytesBilled?: string;
  readonly maxResults?: number;
  readonly formatOptions?: { readonly useInt64Timestamp?: boolean };
  readonly queryParameters?: readonly {
    readonly name: string;
    readonly parameterValue: {
      readonly value?: string;
      readonly arrayValues?: readonly { readonly value: string }[];
    };
  }[];
}

const metadataBytes = 10 * 1024 * 1024;
const pageSize = 1000;

/** Runs the queries that the connector sends: whole tables, single rows, and the partitions of tables. */
export class JobAnswers {
  readonly #world: BigQueryWorld;
  readonly #jobs = new Map<string, Job>();

  constructor(world: BigQueryWorld) {
    this.#world = world;
  }

  /** Answers a dry run. */
  insert({ body }: FakeRequest): FakeAnswer {
    const { configuration }: { readonly configuration?: { readonly query?: QueryBody } } =
      Object(body);
    const result = this.#run(configuration?.query ?? {});
    if (!('rows' in result)) return result;
    const { project } = this.#world;
    return {
      json: {
        kind: 'bigquery#job',
        etag: 'e',
        id: `${project}:EU.`,
        jobReference: { projectId: project, location: 'EU' },
        configuration: {
          jobType: 'QUERY',
          dryRun: true,
          query: { query: configuration?.query?.query, useLegacySql: false },
        },
        status: { state: 'DONE' },
        statistics: {
          creationTime: String(this.#world.now),
          totalBytesProcessed: String(result.bytes),
          query: {
            totalBytesProcessed: String(result.bytes),
            referencedTables: result.tables.map(({ dataset, name }) => ({
              projectId: project,
              datasetId: dataset,
              tableId: name,
            })),
          },
        },
      },
    };
  }

  query({ body }: FakeRequest): FakeAnswer {
    const request: QueryBody = Object(body);
    const result = this.#run(request);
    if (!('rows' in result)) return result;
    if (result.bytes > Number(request.maximumBytesBilled ?? Infinity))
      return problem(
        400,
        'bytesBilledLimitExceeded',
        `Query exceeded limit for bytes billed: ${request.maximumBytesBilled}. ${result.bytes} or higher required.`,
      );
    const id = `job_${this.#jobs.size + 1}`;
    this.#jobs.set(id, { result, polls: this.#world.slowPolls });
    const inMicros = request.formatOptions?.useInt64Timestamp === true;
    const page = this.#page(id, { token: null, size: request.maxResults ?? pageSize, inMicros });
    return { json: { kind: 'bigquery#queryResponse', ...page } };
  }

  results(id: string, { query }: FakeRequest): FakeAnswer {
    if (!this.#jobs.has(id)) return notFound(`Job ${this.#world.project}:${id}`);
    const size = Number(query.get('maxResults') ?? pageSize);
    const page = this.#page(id, {
      token: query.get('pageToken'),
      size,
      inMicros: wantsMicros(query),
    });
    return { json: { kind: 'bigquery#getQueryResultsResponse', etag: 'e', ...page } };
  }

  #page(id: string, { token, size, inMicros }: ResultPage): Readonly<Record<string, unknown>> {
    const jobReference = { projectId: this.#world.project, jobId: id, location: 'EU' };
    const job = this.#jobs.get(id);
    if (job === undefined || job.polls-- > 0) return { jobReference, jobComplete: false };
    const { fields, rows, bytes } = job.result;
    const { items, next } = cutPage(rows, token, Math.min(size, this.#world.rowsPerPage));
    return {
      jobReference,
      jobComplete: true,
      schema: { fields: fieldsForm(fields) },
      totalRows: String(rows.length),
      totalBytesProcessed: String(bytes),
      cacheHit: false,
      ...rowsForm(fields, items, inMicros),
      ...(next === null ? {} : { pageToken: next }),
    };
  }

  #run(request: QueryBody): Result | FakeAnswer {
    const { query = '' } = request;
    const [, quoted = '', rest = ''] = /from `([^`]+)`(.*)$/s.exec(query) ?? [];
    const [project, dataset = '', name = '', part] = quoted.split('.');
    if (project !== this.#world.project) return invalid(`Syntax error: ${query}`);
    if (name === 'INFORMATION_SCHEMA' && part === 'PARTITIONS')
      return this.#partitions(dataset, request);
    const table = this.#world.tables.get(`${dataset}.${name}`);
    if (table === undefined) return notFound(`Table ${quoted}`);
    const base = table.view === null ? table : this.#world.tables.get(table.view.of);
    if (base === undefined) return invalid(`Not found: Table ${table.view?.of}`);
    const all = this.#world.rowsOf(table).filter((row) => matches(table, row, rest, request));
    const [, limit] = / limit (\d+)/.exec(rest) ?? [];
    const [, offset = '0'] = / offset (\d+)/.exec(rest) ?? [];
    const end = limit === undefined ? all.length : Number(offset) + Number(limit);
    return {
      fields: table.fields,
      rows: all.slice(Number(offset), end),
      bytes: table.bytes ?? this.#world.bytesOf(base),
      tables: [base],
    };
  }

  #partitions(dataset: string, request: QueryBody): Result {
    const wanted = valuesOf(request, 'tables');
    const tables = [...this.#world.tables.values()].filter(
      (table) => table.dataset === dataset && wanted.includes(table.name),
    );
    const rows = tables.flatMap((table) =>
      [...(table.partitions ?? [])]
        .toSorted(([a], [b]) => (a < b ? 1 : -1))
        .map(([id, { rows: own, modifiedAt }]) => [
          table.name,
          id,
          String(own.length),
          String(this.#world.bytesOf(table, id)),
          String(modifiedAt),
        ]),
    );
    const names = ['table_name', 'partition_id', 'total_rows', 'total_logical_bytes', 'f0_'];
    const fields = names.map((name) => ({ name, type: 'STRING' }));
    return { fields, rows, bytes: metadataBytes, tables: [] };
  }
}

function invalid(message: string): FakeAnswer {
  return problem(400, 'invalidQuery', message);
}

function valuesOf({ queryParameters = [] }: QueryBody, name: string): readonly string[] {
  const { value, arrayValues = [] } =
    queryParameters.find((each) => each.name === name)?.parameterValue ?? {};
  return value === undefined ? arrayValues.map((each) => each.value) : [value];
}

/** Evaluates a condition on the text of columns. */
function matches(
  table: FakeTable,
  row: readonly FakeCell[],
  sql: string,
  request: QueryBody,
): boolean {
  return [...sql.matchAll(/cast\(`([^`]+)` as string\) = @(\w+)/g)].every(
    ([, column, parameter = '']) => {
      const at = table.fields.findIndex(({ name }) => name === column);
      return String(row[at]) === valuesOf(request, parameter)[0];
    },
  );
}
