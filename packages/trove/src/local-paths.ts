import { resolve } from 'node:path';
import type { Graphs } from '@trove/graph';

/** Wraps operations. Makes relative paths such as `./docs` absolute before each call. */
export function withLocalPaths<T extends object>(engine: T): T {
  return new Proxy(engine, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (request: unknown, ...rest: unknown[]): unknown =>
        Reflect.apply(member, target, [withAbsolute(request), ...rest]);
    },
  });
}

/** Like `withLocalPaths`, for imports into graphs. */
export function graphsWithLocalPaths(graphs: Graphs): Graphs {
  return {
    ...graphs,
    importSources: (request, options) =>
      graphs.importSources(
        {
          ...request,
          sources: request.sources.map((each) => (isRelative(each) ? resolve(each) : each)),
        },
        options,
      ),
  };
}

/** Requests name paths as `path` or `target`. */
function withAbsolute(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return request;
  const relative = Object.entries(request).filter(
    ([name, text]) => (name === 'path' || name === 'target') && isRelative(text),
  );
  return relative.length === 0
    ? request
    : {
        ...request,
        ...Object.fromEntries(relative.map(([name, text]) => [name, resolve(String(text))])),
      };
}

/** Leaves blank strings and other types for the engine to reject. */
function isRelative(text: unknown): boolean {
  return (
    typeof text === 'string' && text.trim() !== '' && !/^(\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(text)
  );
}
