import type { Infer, JsonSchema } from '@trove/core';
import { acceptRequest } from '@trove/runtime';
import type { CallOptions, Export, Operations } from './api/engine.js';
import {
  addRequestSchema,
  catQuerySchema,
  grepQuerySchema,
  jobIdSchema,
  jobsQuerySchema,
  linesQuerySchema,
  pathQuerySchema,
  probeRequestSchema,
  searchQuerySchema,
  targetQuerySchema,
  type CatResponse,
} from './api/schemas.js';
import type { Services } from './compose.js';

/** Runs what a caller asks for, within the life of the engine. */
export type Call = <A>(
  options: CallOptions | undefined,
  use: (services: Services, signal: AbortSignal) => Promise<A>,
) => Promise<A>;

/** Every operation of an engine: what a valid request of it is, and which service answers. */
export function operations(call: Call): Operations {
  const takes =
    <const S extends JsonSchema, A>(
      schema: S,
      answer: (services: Services, request: Infer<S>, signal: AbortSignal) => Promise<A>,
    ) =>
    (request: unknown = {}, options?: CallOptions): Promise<A> =>
      call(options, async (services, signal) =>
        answer(services, acceptRequest(schema, request), signal),
      );
  const takesNothing =
    <A>(answer: (services: Services, signal: AbortSignal) => Promise<A>) =>
    (options?: CallOptions): Promise<A> =>
      call(options, answer);

  return {
    serverInfo: takesNothing(async ({ status }) => status.serverInfo()),
    status: takesNothing(({ status }) => status.status()),

    add: takes(addRequestSchema, ({ registration }, request, signal) =>
      registration.add(request, signal),
    ),
    jobs: takes(jobsQuerySchema, ({ jobs }, query) => jobs.list(query)),
    job: takes(jobIdSchema, ({ jobs }, id) => jobs.get(id)),
    cancel: takes(jobIdSchema, ({ jobs }, id) => jobs.cancel(id)),
    waitForJob: takes(jobIdSchema, ({ jobs }, id, signal) => jobs.wait(id, signal)),

    probe: takes(probeRequestSchema, ({ probe }, request, signal) => probe.probe(request, signal)),
    estimate: takes(probeRequestSchema, ({ probe }, request, signal) =>
      probe.estimate(request, signal),
    ),
    inspect: takes(targetQuerySchema, ({ status }, query, signal) => status.inspect(query, signal)),
    remove: takes(targetQuerySchema, ({ removal }, query) => removal.remove(query)),

    search: takes(searchQuerySchema, ({ search }, query, signal) => search.search(query, signal)),
    grep: takes(grepQuerySchema, ({ grep }, query, signal) => grep.grep(query, signal)),
    ls: takes(pathQuerySchema, ({ browse }, query, signal) => browse.ls(query, signal)),
    cat: takes(catQuerySchema, ({ read }, query, signal) => read.cat(query, signal)),
    head: takes(linesQuerySchema, ({ read }, query, signal) => read.head(query, signal)),
    tail: takes(linesQuerySchema, ({ read }, query, signal) => read.tail(query, signal)),
    export: takes(pathQuerySchema, async ({ read }, query, signal) =>
      inOnePiece(await read.export(query, signal)),
    ),
    exportStream: takes(pathQuerySchema, ({ read }, query, signal) => read.export(query, signal)),
  };
}

async function inOnePiece({ source, partial, content }: Export): Promise<CatResponse> {
  const pieces: string[] = [];
  for await (const piece of content) pieces.push(piece);
  return { source, partial, content: pieces.join('') };
}
