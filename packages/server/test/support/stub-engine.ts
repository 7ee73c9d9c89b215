import type { Engine } from 'trove';

const unexpected = (name: string) => () => Promise.reject(new Error(`unexpected call of ${name}`));

/** An engine of which only the given methods work: for what the host does by itself. */
export function stubEngine(methods: Partial<Engine> = {}): Engine {
  return {
    serverInfo: unexpected('serverInfo'),
    status: unexpected('status'),
    add: unexpected('add'),
    jobs: unexpected('jobs'),
    job: unexpected('job'),
    cancel: unexpected('cancel'),
    waitForJob: unexpected('waitForJob'),
    probe: unexpected('probe'),
    estimate: unexpected('estimate'),
    inspect: unexpected('inspect'),
    remove: unexpected('remove'),
    search: unexpected('search'),
    grep: unexpected('grep'),
    ls: unexpected('ls'),
    cat: unexpected('cat'),
    head: unexpected('head'),
    tail: unexpected('tail'),
    export: unexpected('export'),
    exportStream: unexpected('exportStream'),
    startWorker: () => {},
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
    ...methods,
  };
}
