import { isRecord } from '../json.js';
import { feedRoutes } from './change-log.js';
import { failureOf, rateLimitAnswer } from './failures.js';
import type { FakeAnswer, FakeRequest, ServiceModel } from './fake-service.js';
import type { FakeWorld, FakeRoute } from './fake-world.js';
import { listingRoutes, partRoutes } from './listing-routes.js';
import type { LoginGate } from './login-gate.js';
import { checkRoutes, documentRoutes, lookupRoutes } from './other-routes.js';
import { mergeJson } from './places.js';
import { matchRequest, type Captures } from './request-pattern.js';

/** Answers a request that cannot be derived. Undefined: the fake answers it. */
export type FakeHandler = (
  request: FakeRequest,
) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;

/** A route with the values that the request states. */
interface RouteMatch {
  readonly route: FakeRoute;
  readonly captures: Captures;
}

/** Answers requests as a description says that the service does. */
export class DescribedService implements ServiceModel {
  readonly #world: FakeWorld;
  readonly #gate: LoginGate;
  readonly #handle: FakeHandler;

  constructor(world: FakeWorld, gate: LoginGate, handle: FakeHandler) {
    this.#world = world;
    this.#gate = gate;
    this.#handle = handle;
  }

  async answer(request: FakeRequest): Promise<FakeAnswer> {
    const token = await this.#gate.answer(request);
    if (token !== null) return token;
    if (!(await this.#gate.accepts(request))) return this.unauthorized();
    const own = await this.#handle(request);
    if (own !== undefined) return own;
    const match = this.#matchOf(request);
    if (match === null) return failureOf('absent', this.#world.description.errors ?? []);
    return this.#withItem(await match.route.answer(request, match.captures), request, match.route);
  }

  rateLimited(_request: FakeRequest, retryAfterMs: number): FakeAnswer {
    const { limits, errors = [] } = this.#world.description;
    return rateLimitAnswer(limits, errors, retryAfterMs);
  }

  unauthorized(): FakeAnswer {
    return failureOf('login', this.#world.description.errors ?? []);
  }

  /** Returns the stream whose listing a request is for, or null. */
  streamOf(request: FakeRequest): string | null {
    return this.#matchOf(request)?.route.stream ?? null;
  }

  /** Adds the item itself to an answer with its children, if the service has one request for both. */
  async #withItem(answer: FakeAnswer, request: FakeRequest, route: FakeRoute): Promise<FakeAnswer> {
    if (route.stream === null || !isRecord(answer.json)) return answer;
    const { literals } = route.pattern;
    for (const other of this.#routes()) {
      if (other.stream !== null || other.pattern.literals !== literals) continue;
      const captures = matchRequest(other.pattern, request);
      const item = captures === null ? undefined : await other.answer(request, captures);
      if (item?.status === undefined && isRecord(item?.json))
        return { ...answer, json: mergeJson(item.json, answer.json) };
    }
    return answer;
  }

  /** Returns the most specific route of a request. */
  #matchOf(request: FakeRequest): RouteMatch | null {
    let best: RouteMatch | null = null;
    for (const route of this.#routes()) {
      const captures = matchRequest(route.pattern, request);
      if (captures !== null && (best === null || isMoreSpecific(route, best.route)))
        best = { route, captures };
    }
    return best;
  }

  *#routes(): Generator<FakeRoute, void, undefined> {
    const world = this.#world;
    for (const stream of world.plan.streams.values()) {
      yield* feedRoutes(world, stream);
      yield* documentRoutes(world, stream);
      yield* partRoutes(world, stream);
      yield* listingRoutes(world, stream);
    }
    yield* lookupRoutes(world);
    yield* checkRoutes(world);
  }
}

function isMoreSpecific({ pattern: a }: FakeRoute, { pattern: b }: FakeRoute): boolean {
  return a.literals === b.literals ? a.captures < b.captures : a.literals > b.literals;
}
