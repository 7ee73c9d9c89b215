import { resolve } from 'node:path';
import type { Engine } from '@trove/engine';

/** The same engine for callers who may write `./docs`: relative paths are made absolute before each call. */
export function withLocalPaths(engine: Engine): Engine {
  return {
    serverInfo: () => engine.serverInfo(),
    status: () => engine.status(),
    add: (request, options) => engine.add(withTarget(request), options),
    jobs: (query) => engine.jobs(query === undefined ? query : withTarget(query)),
    job: (id) => engine.job(id),
    cancel: (id) => engine.cancel(id),
    waitForJob: (id, options) => engine.waitForJob(id, options),
    probe: (request, options) => engine.probe(withTarget(request), options),
    estimate: (request, options) => engine.estimate(withTarget(request), options),
    inspect: (query) => engine.inspect(withTarget(query)),
    remove: (query) => engine.remove(withTarget(query)),
    search: (query, options) => engine.search(withPath(query), options),
    grep: (query, options) => engine.grep(withPath(query), options),
    ls: (query, options) => engine.ls(withPath(query), options),
    cat: (query, options) => engine.cat(withPath(query), options),
    head: (query, options) => engine.head(withPath(query), options),
    tail: (query, options) => engine.tail(withPath(query), options),
    export: (query, options) => engine.export(withPath(query), options),
    exportStream: (query, options) => engine.exportStream(withPath(query), options),
    startWorker: () => engine.startWorker(),
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

function withTarget<T extends { readonly target?: string }>(request: T): T {
  return isRelative(request.target) ? { ...request, target: resolve(request.target) } : request;
}

function withPath<T extends { readonly path?: string }>(query: T): T {
  return isRelative(query.path) ? { ...query, path: resolve(query.path) } : query;
}

/** Blank strings and other types are left for the engine to reject. */
function isRelative(text: unknown): text is string {
  return (
    typeof text === 'string' && text.trim() !== '' && !/^(\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(text)
  );
}
