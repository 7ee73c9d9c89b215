import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { objectForm, ownerForm, propertyForm, timeForm } from './forms.js';
import { expiredToken, invalid, missingScope, notFound, problem, tooMany } from './problems.js';
import { searchAnswer } from './search.js';
import { scopeOf, type HubspotWorld, type Stored } from './world.js';

const version = '2026-03';
const kinds = new Set([
  'calls',
  'companies',
  'contacts',
  'deals',
  'emails',
  'meetings',
  'notes',
  'tasks',
  'tickets',
]);
const maxListed = 100;
const maxBatch = 100;
/** The maximum length of the names of properties in an address. */
const maxNameChars = 15_000;

/** What the service answers. */
export function hubspotModel(world: HubspotWorld): ServiceModel {
  return {
    rateLimited: ({ path }, retryAfterMs) => tooMany(path.endsWith('/search'), retryAfterMs),
    unauthorized: expiredToken,
    answer(request) {
      const answer = answerOf(world, request);
      const date = new Date(world.now).toUTCString();
      const headers = { date, 'x-hubspot-ratelimit-remaining': '99', ...answer.headers };
      return { ...answer, headers };
    },
  };
}

function answerOf(world: HubspotWorld, request: FakeRequest): FakeAnswer {
  const [, scheme, token = ''] =
    /^(bearer) (.+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
  if (token.includes(' ')) return problem(530, 'INVALID_AUTHENTICATION', 'The token is malformed.');
  if (scheme === undefined || !world.tokens.has(token))
    return problem(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.');
  // The vendor's own client still uses the numbered paths, which end in 2027.
  const path = request.path.replace(/^\/crm\/v3\/(\w+)/, `/crm/$1/${version}`);
  const [area, own, ...steps] = path.replace(/^\/(?:crm\/)?/, '').split('/');
  if (own !== version) return notFound();
  switch (area) {
    case 'account-info':
      return accountAnswer();
    case 'owners':
      return ownersAnswer(world);
    case 'properties':
      return propertiesAnswer(world, steps[0] ?? '');
    case 'associations':
      return associationsAnswer(world, steps, request);
    case 'objects':
      return objectsAnswer(world, steps, request);
    default:
      return notFound();
  }
}

function accountAnswer(): FakeAnswer {
  return {
    json: {
      portalId: 42,
      accountType: 'STANDARD',
      timeZone: 'Europe/Berlin',
      companyCurrency: 'EUR',
      additionalCurrencies: [],
      utcOffset: '+01:00',
      utcOffsetMilliseconds: 3_600_000,
      uiDomain: 'app-eu1.hubspot.com',
      dataHostingLocation: 'eu1',
    },
  };
}

function ownersAnswer(world: HubspotWorld): FakeAnswer {
  const scope = 'crm.objects.owners.read';
  if (!world.scopes.has(scope)) return missingScope(scope);
  return { json: { results: [...world.owners.values()].map((owner) => ownerForm(world, owner)) } };
}

function propertiesAnswer(world: HubspotWorld, kind: string): FakeAnswer {
  if (!kinds.has(kind)) return notFound();
  if (!world.scopes.has(scopeOf(kind))) return missingScope(scopeOf(kind));
  const stage = kind === 'tickets' ? 'hs_pipeline_stage' : 'dealstage';
  const results = [propertyForm('createdate', new Map()), propertyForm(stage, world.stages)];
  return { json: { results } };
}

function objectsAnswer(
  world: HubspotWorld,
  [kind = '', id, part]: readonly string[],
  request: FakeRequest,
): FakeAnswer {
  if (!kinds.has(kind)) return notFound();
  if (!world.scopes.has(scopeOf(kind))) return missingScope(scopeOf(kind));
  if (request.method === 'POST') {
    if (id === 'search') return searchAnswer(world, kind, request.body);
    return id === 'batch' && part === 'read' ? batchAnswer(world, kind, request) : notFound();
  }
  const names = request.query.get('properties') ?? '';
  if (names.length > maxNameChars) return problem(414, 'VALIDATION_ERROR', 'The URI is too long.');
  const requested = names.split(',').filter((name) => name !== '');
  if (id === undefined) return listAnswer(world, kind, request, requested);
  const stored = world.objects.get(id);
  return stored === undefined || stored.kind !== kind || stored.archivedAt !== null
    ? notFound()
    : { json: objectForm(stored, requested) };
}

/** Lists the records of a kind, or the archived ones. The last page has no `paging`. */
function listAnswer(
  world: HubspotWorld,
  kind: string,
  { query, origin, path }: FakeRequest,
  requested: readonly string[],
): FakeAnswer {
  const limit = Number(query.get('limit') ?? 10);
  if (limit < 1 || limit > maxListed) return invalid(`limit must be between 1 and ${maxListed}`);
  const after = Number(query.get('after') ?? 0);
  const all = world
    .list(kind, query.get('archived') === 'true')
    .filter(({ id }) => Number(id) > after);
  const page = all.slice(0, limit);
  const last = page.at(-1)?.id ?? '';
  const next = { after: last, link: `${origin}${path}?after=${last}` };
  return {
    json: {
      results: page.map((stored) => objectForm(stored, requested)),
      ...(page.length < all.length ? { paging: { next } } : {}),
    },
  };
}

interface BatchBody {
  readonly inputs?: readonly { readonly id: string }[];
  readonly properties?: readonly string[];
}

/** Answers 207 with the errors if there is no record for an id. */
function batchAnswer(world: HubspotWorld, kind: string, { body }: FakeRequest): FakeAnswer {
  const { inputs = [], properties = [] }: BatchBody = Object(body);
  if (inputs.length === 0 || inputs.length > maxBatch)
    return invalid(`inputs must have between 1 and ${maxBatch} items`);
  const stored = inputs.flatMap(({ id }): readonly Stored[] => {
    const found = world.objects.get(id);
    return found?.kind === kind && found.archivedAt === null ? [found] : [];
  });
  const ids = inputs.map(({ id }) => id).filter((id) => !stored.some((each) => each.id === id));
  const error = {
    status: 'error',
    category: 'OBJECT_NOT_FOUND',
    message: 'Could not get some objects, they may be deleted or not exist.',
    context: { ids },
  };
  return {
    status: ids.length === 0 ? 200 : 207,
    json: {
      ...completed(world),
      results: stored.map((each) => objectForm(each, properties)),
      ...(ids.length === 0 ? {} : { numErrors: 1, errors: [error] }),
    },
  };
}

function associationsAnswer(
  world: HubspotWorld,
  [from = '', to = '']: readonly string[],
  { body }: FakeRequest,
): FakeAnswer {
  if (!kinds.has(from) || !kinds.has(to)) return notFound();
  const scope = [from, to].map(scopeOf).find((each) => !world.scopes.has(each));
  if (scope !== undefined) return missingScope(scope);
  const { inputs = [] }: BatchBody = Object(body);
  const associationTypes = [{ category: 'HUBSPOT_DEFINED', typeId: 1, label: null }];
  const results = inputs.flatMap(({ id }) => {
    const found = world.associatedWith(id, to);
    const targets = found.map((each) => ({ toObjectId: Number(each), associationTypes }));
    return found.length === 0 ? [] : [{ from: { id }, to: targets }];
  });
  return { json: { ...completed(world), results } };
}

function completed({ now }: HubspotWorld): Readonly<Record<string, unknown>> {
  return { status: 'COMPLETE', startedAt: timeForm(now), completedAt: timeForm(now) };
}
