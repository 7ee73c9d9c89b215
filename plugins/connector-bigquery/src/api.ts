import {
  because,
  googleErrors,
  googleLogin,
  HttpService,
  type ErrorRule,
  type RequestDescription,
} from '@trove/connector-kit/http';
import { TroveError, type ConnectorContext, type Health } from '@trove/core';

import { configSchema, scheme, scope, type BigQueryConfig } from './config.js';
import type {
  DryRun,
  JobAnswer,
  ListedDataset,
  ListedBigQueryTable,
  TokenPage,
  QueryParameter,
  RowPage,
  TableInfo,
} from './answers.js';

const errors: readonly ErrorRule[] = [
  ...googleErrors({ api: 'BigQuery API', scope }),
  { when: because('jobRateLimitExceeded'), do: 'wait' },
  { when: because('bytesBilledLimitExceeded'), do: 'fail', code: 'byte_limit' },
  { when: because('accessDenied'), do: 'fail', code: 'missing_right' },
];

/** Refusals that concern one table or view. */
const tableErrors: readonly ErrorRule[] = [
  { when: because('accessDenied', 'invalid', 'invalidQuery'), do: 'skip' },
];

const namesPerPage = 1000;
const rowsPerPage = 5000;
/** How long an answer waits for a query. */
const queryWaitMs = 10_000;
const maxPages = 1_000_000;

/** The REST API of BigQuery (v2) for one project. */
export class BigQueryApi {
  readonly #http: HttpService;
  readonly #project: string;

  constructor(project: string, context: ConnectorContext<BigQueryConfig>) {
    this.#project = project;
    this.#http = new HttpService(
      {
        base: '{config.base_url}',
        auth: googleLogin({ scope }),
        check: { get: () => `${this.#root}/datasets`, query: { maxResults: 1 } },
        errors,
      },
      { keys: [scheme], configSchema },
      context,
    );
  }

  health(signal: AbortSignal): Promise<Health> {
    return this.#http.health(signal);
  }

  close(): void {
    this.#http.close();
  }

  async datasets(signal: AbortSignal): Promise<string[]> {
    const pages = this.#pages(`${this.#root}/datasets`, 'nextPageToken', signal);
    const names: string[] = [];
    let exists = false;
    for await (const page of pages) {
      exists = true;
      const { datasets = [] }: { readonly datasets?: readonly ListedDataset[] } = page;
      names.push(...datasets.map(({ datasetReference }) => datasetReference.datasetId));
    }
    // An empty list would count as a project whose tables were all deleted.
    if (!exists)
      throw new TroveError('connector_unhealthy', `There is no project ${this.#project}.`, {
        suggestions: ['Correct the target, or check whether the project was deleted.'],
      });
    return names;
  }

  /** Returns the tables and views of a dataset, or null if there is no such dataset. */
  async tables(dataset: string, signal: AbortSignal): Promise<ListedBigQueryTable[] | null> {
    const found: ListedBigQueryTable[] = [];
    let exists = false;
    const pages = this.#pages(`${this.#datasetPath(dataset)}/tables`, 'nextPageToken', signal);
    for await (const page of pages) {
      exists = true;
      const { tables = [] }: { readonly tables?: readonly ListedBigQueryTable[] } = page;
      found.push(...tables);
    }
    return exists ? found : null;
  }

  /** Returns the facts about a table. Null if it does not exist, and a sentence if the login may not see it. */
  async table(
    dataset: string,
    name: string,
    signal: AbortSignal,
  ): Promise<TableInfo | string | null> {
    const path = this.#tablePath(dataset, name);
    const reply = await this.#http.send({ get: () => path }, { signal, errors: tableErrors });
    if ('none' in reply) return reply.none === 'absent' ? null : reply.say;
    return Object(reply.answer.body);
  }

  /** Yields pages of rows without a query, which is free. Not for views and external tables. */
  async *rows(
    dataset: string,
    name: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    signal: AbortSignal,
  ): AsyncGenerator<RowPage> {
    let left = limit;
    let pageToken: string | undefined;
    const path = `${this.#tablePath(dataset, name)}/data`;
    for (let at = 0; left > 0 && at < maxPages; at++) {
      const token = pageToken;
      const body = await this.#get(
        {
          get: () => path,
          query: {
            maxResults: Math.min(rowsPerPage, left),
            'formatOptions.useInt64Timestamp': true,
            startIndex: () => (at === 0 && offset > 0 ? offset : undefined),
            pageToken: () => token,
          },
        },
        signal,
      );
      const page: RowPage & TokenPage = Object(body);
      yield page;
      left -= page.rows?.length ?? 0;
      if (page.pageToken === undefined || page.pageToken === '') return;
      if (page.pageToken === pageToken) throw repeatedPage(path);
      ({ pageToken } = page);
    }
  }

  /** Returns the cost and the tables of a query without running it, which is free. A sentence: the reason for its refusal. */
  async dryRun(query: string, signal: AbortSignal): Promise<DryRun | string> {
    const reply = await this.#http.send(
      {
        post: () => `${this.#root}/jobs`,
        body: () => ({ configuration: { dryRun: true, query: { query, useLegacySql: false } } }),
      },
      { signal, errors: tableErrors },
    );
    if ('none' in reply) return reply.say;
    const { statistics }: JobAnswer = Object(reply.answer.body);
    return {
      bytes: Number(statistics?.totalBytesProcessed ?? 0),
      tables: statistics?.query?.referencedTables ?? null,
    };
  }

  /** Runs a query, which bills at most `maxBytes`, and yields pages of its rows. */
  async *query(
    query: string,
    parameters: readonly QueryParameter[],
    maxBytes: number,
    signal: AbortSignal,
  ): AsyncGenerator<RowPage> {
    const started = await this.#get(
      {
        post: () => `${this.#root}/queries`,
        body: () => ({
          query,
          useLegacySql: false,
          maximumBytesBilled: String(Math.max(1, Math.floor(maxBytes))),
          maxResults: rowsPerPage,
          timeoutMs: queryWaitMs,
          formatOptions: { useInt64Timestamp: true },
          ...(parameters.length === 0
            ? {}
            : { parameterMode: 'NAMED', queryParameters: parameters }),
        }),
      },
      signal,
    );
    let page: RowPage & TokenPage = Object(started);
    const { jobId, location } = page.jobReference ?? {};
    for (let at = 0; at < maxPages; at++) {
      const { jobComplete: isComplete, pageToken } = page;
      // Without rows, the answer to a query that still runs looks like that of an empty table.
      if (isComplete === undefined) throw invalidAnswer('does not state whether a query has ended');
      if (isComplete) yield page;
      if (isComplete && (pageToken === undefined || pageToken === '')) return;
      if (jobId === undefined) throw invalidAnswer('has no id of a query');
      const path = `${this.#root}/queries/${encodeURIComponent(jobId)}`;
      const next = await this.#get(
        {
          get: () => path,
          query: {
            location: () => location,
            pageToken: () => pageToken,
            maxResults: rowsPerPage,
            timeoutMs: queryWaitMs,
            'formatOptions.useInt64Timestamp': true,
          },
        },
        signal,
      );
      const following: RowPage & TokenPage = Object(next);
      if (pageToken !== undefined && following.pageToken === pageToken) throw repeatedPage(path);
      page = following;
    }
  }

  async #get(request: RequestDescription, signal: AbortSignal): Promise<unknown> {
    const reply = await this.#http.send(request, { signal });
    if ('answer' in reply) return reply.answer.body;
    throw new TroveError('not_found', reply.say);
  }

  async *#pages(
    path: string,
    token: 'nextPageToken',
    signal: AbortSignal,
  ): AsyncGenerator<Readonly<Record<string, never>>> {
    let pageToken: string | undefined;
    for (let at = 0; at < maxPages; at++) {
      const current = pageToken;
      const query = { maxResults: namesPerPage, pageToken: () => current };
      const reply = await this.#http.send({ get: () => path, query }, { signal });
      if ('none' in reply) return;
      yield Object(reply.answer.body);
      const { [token]: next }: TokenPage = Object(reply.answer.body);
      if (next === undefined || next === '') return;
      if (next === pageToken) throw repeatedPage(path);
      pageToken = next;
    }
  }

  get #root(): string {
    return `/bigquery/v2/projects/${encodeURIComponent(this.#project)}`;
  }

  #datasetPath(dataset: string): string {
    return `${this.#root}/datasets/${encodeURIComponent(dataset)}`;
  }

  #tablePath(dataset: string, name: string): string {
    return `${this.#datasetPath(dataset)}/tables/${encodeURIComponent(name)}`;
  }
}

function repeatedPage(path: string): TroveError {
  return unhealthy(`BigQuery returned a page of ${path} twice`);
}

function invalidAnswer(problem: string): TroveError {
  return unhealthy(`The answer of BigQuery ${problem}`);
}

function unhealthy(detail: string): TroveError {
  return new TroveError('connector_unhealthy', detail, { retryable: true, suggestions: [] });
}
