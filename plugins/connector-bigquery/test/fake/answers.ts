import {
  claimsOfJwt,
  type FakeAnswer,
  type FakeRequest,
  type ServiceModel,
} from '@trove/connector-kit/http/fake';

import { JobAnswers } from './jobs.js';
import { notFound, problem } from './problems.js';
import { cutPage, rowsForm, tableForm, wantsMicros } from './forms.js';
import type { BigQueryWorld, FakeTable } from './world.js';

const scope = 'https://www.googleapis.com/auth/bigquery';

/** What the service answers about a project. */
export function bigQueryModel(world: BigQueryWorld): ServiceModel {
  const jobs = new JobAnswers(world);
  return {
    unauthorized,
    rateLimited: () =>
      problem(403, 'rateLimitExceeded', 'Exceeded rate limits: too many api requests per user'),
    answer: (request) =>
      request.path === '/token' ? tokenAnswer(world, request) : answerOf(world, jobs, request),
  };
}

function unauthorized(): FakeAnswer {
  return problem(401, 'authError', 'Request had invalid authentication credentials.');
}

function answerOf(world: BigQueryWorld, jobs: JobAnswers, request: FakeRequest): FakeAnswer {
  const [, token = ''] = /^bearer (.+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
  if (!world.accessTokens.has(token)) return unauthorized();
  const steps = request.path.split('/').slice(4).map(decodeURIComponent);
  const [project, kind, dataset, tables, table, data] = steps;
  if (!request.path.startsWith('/bigquery/v2/projects/') || project !== world.project)
    return notFound(`Project ${project}`);
  if (!world.hasRight)
    return problem(
      403,
      'accessDenied',
      `Access Denied: Project ${project}: User does not have bigquery.datasets.get permission in project ${project}.`,
    );
  if (kind === 'jobs') return jobs.insert(request);
  if (kind === 'queries')
    return dataset === undefined ? jobs.query(request) : jobs.results(dataset, request);
  if (dataset === undefined) return datasetsAnswer(world, request);
  if (!world.datasets.has(dataset)) return notFound(`Dataset ${project}:${dataset}`);
  if (tables !== 'tables') return notFound(request.path);
  if (table === undefined) return tablesAnswer(world, dataset, request);
  const [name = '', partition] = table.split('$');
  const found = world.tables.get(`${dataset}.${name}`);
  if (found === undefined) return notFound(`Table ${project}:${dataset}.${name}`);
  return data === 'data'
    ? dataAnswer(world, found, partition, request)
    : { json: tableForm(world, found) };
}

function tokenAnswer(world: BigQueryWorld, { body }: FakeRequest): FakeAnswer {
  const { assertion }: { readonly assertion?: string } = Object(body);
  const claims =
    world.serviceAccountKey === null
      ? null
      : claimsOfJwt(world.serviceAccountKey, String(assertion));
  if (claims === null || claims['scope'] !== scope || claims['iss'] !== 'robot@example.com')
    return {
      status: 400,
      json: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
    };
  return {
    json: { access_token: world.issueAccess(), expires_in: 3599, token_type: 'Bearer' },
  };
}

function datasetsAnswer(world: BigQueryWorld, { query }: FakeRequest): FakeAnswer {
  const { project } = world;
  const { items, next } = cutPage(
    [...world.datasets].toSorted(),
    query.get('pageToken'),
    Number(query.get('maxResults') ?? 50),
  );
  const datasets = items.map((datasetId) => ({
    kind: 'bigquery#dataset',
    id: `${project}:${datasetId}`,
    datasetReference: { projectId: project, datasetId },
    location: 'EU',
  }));
  return {
    json: {
      kind: 'bigquery#datasetList',
      etag: 'e',
      ...(datasets.length === 0 ? {} : { datasets }),
      ...(next === null ? {} : { nextPageToken: next }),
    },
  };
}

function tablesAnswer(world: BigQueryWorld, dataset: string, { query }: FakeRequest): FakeAnswer {
  const { project } = world;
  const all = [...world.tables.values()].filter((table) => table.dataset === dataset);
  const { items, next } = cutPage(
    all,
    query.get('pageToken'),
    Number(query.get('maxResults') ?? 50),
  );
  const tables = items.map(({ name, type, createdAt }) => ({
    kind: 'bigquery#table',
    id: `${project}:${dataset}.${name}`,
    tableReference: { projectId: project, datasetId: dataset, tableId: name },
    type,
    creationTime: String(createdAt),
  }));
  return {
    json: {
      kind: 'bigquery#tableList',
      etag: 'e',
      totalItems: all.length,
      ...(tables.length === 0 ? {} : { tables }),
      ...(next === null ? {} : { nextPageToken: next }),
    },
  };
}

function dataAnswer(
  world: BigQueryWorld,
  table: FakeTable,
  partition: string | undefined,
  { query }: FakeRequest,
): FakeAnswer {
  if (table.type !== 'TABLE')
    return problem(400, 'invalid', `Cannot list a table of type ${table.type}.`);
  const all = world.rowsOf(table, partition);
  const size = Math.min(world.rowsPerPage, Number(query.get('maxResults') ?? world.rowsPerPage));
  const start = query.get('pageToken') ?? query.get('startIndex');
  const { items, next } = cutPage(all, start, size);
  return {
    json: {
      kind: 'bigquery#tableDataList',
      etag: 'e',
      totalRows: String(all.length),
      ...rowsForm(table.fields, items, wantsMicros(query)),
      ...(next === null ? {} : { pageToken: next }),
    },
  };
}
