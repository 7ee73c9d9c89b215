// A connector that behaves until its configuration names a method and a fault. It is copied into its own package with
// the only module that it imports.
import { oddValues } from './odd-values.mjs';

const paths = ['one.md', 'two.txt', 'below/three.md', 'rows', 'below/four.json'];

export default {
  kind: 'connector',
  apiVersion: 1,
  keys: ['hostile'],
  configSchema: {
    type: 'object',
    properties: { plan: { type: 'object', additionalProperties: true, default: {} } },
    additionalProperties: false,
  },
  create({ config: { plan } }) {
    return new Proxy(methodsOf(plan), {});
  },
};

function methodsOf(plan) {
  const methods = {
    async *list() {
      for (const path of paths) yield entryOf(path);
    },
    read: async (path) => ({ bytes: new TextEncoder().encode(`# ${path}\n\nA fox of ${path}.\n`) }),
    async *records() {
      for (let id = 0; id < 5; id++) yield { key: { id }, fields: { text: `a fox of row ${id}` } };
    },
    async *browse(path) {
      if (path !== '') return;
      yield { name: 'one.md', type: 'file', size: null, modifiedAt: null };
      yield { name: 'rows', type: 'file', size: null, modifiedAt: null };
    },
    stat: async (path) => (paths.includes(path) ? entryOf(path) : null),
    async *grep() {
      yield {
        path: 'one.md',
        lines: [3, 3],
        content: 'A fox of one.md.',
        match: { lines: [3, 3], column: 3 },
      };
    },
    check: async () => ({ ok: true, detail: 'fine' }),
    explain: async () => null,
    close: async () => {},
  };
  const { method, fault } = plan;
  if (methods[method] !== undefined) methods[method] = faults[fault](methods[method], plan);
  return methods;
}

function entryOf(path) {
  const kind = path === 'rows' ? { kind: 'table_rows' } : {};
  return { path, size: null, modifiedAt: null, fingerprint: null, ...kind };
}

/** The faults of a method. Each gets the right method and returns a wrong one. */
const faults = {
  throw:
    (_, { value }) =>
    () => {
      throw oddValues[value]();
    },
  reject:
    (_, { value }) =>
    () =>
      Promise.reject(oddValues[value]()),
  'throw half-way': (right, { value }) =>
    async function* broken(...args) {
      let count = 0;
      for await (const item of right(...args)) {
        yield item;
        if (++count === 2) throw oddValues[value]();
      }
    },
  hang: () => () => new Promise(() => {}),
  'hang half-way': (right) =>
    async function* hanging(...args) {
      for await (const item of right(...args)) {
        yield item;
        await new Promise(() => {});
      }
    },
  'leave a rejection':
    (right, { value }) =>
    (...args) => {
      void Promise.reject(oddValues[value]());
      return right(...args);
    },
  'throw later':
    (right, { value }) =>
    (...args) => {
      setTimeout(() => {
        throw oddValues[value]();
      }, 5);
      return right(...args);
    },
  'return something else':
    (_, { value }) =>
    () =>
      oddValues[value](),
  'resolve to something else':
    (_, { value }) =>
    async () =>
      oddValues[value](),
  'yield something else': (right, { value }) =>
    async function* wrong(...args) {
      yield* right(...args);
      yield oddValues[value]();
    },
  'a wrong member': (right, { member, value }) => {
    const spoiled = (item) =>
      typeof item === 'object' && item !== null ? { ...item, [member]: oddValues[value]() } : item;
    return (...args) => {
      const result = right(...args);
      if (typeof result?.then === 'function') return result.then(spoiled);
      return (async function* wrong() {
        for await (const item of result) yield spoiled(item);
      })();
    };
  },
  'a member that throws': (right, { member }) => {
    const spoiled = (item) =>
      typeof item === 'object' && item !== null
        ? Object.defineProperty({ ...item }, member, {
            enumerable: true,
            get() {
              throw new Error('this getter throws');
            },
          })
        : item;
    return (...args) => {
      const result = right(...args);
      if (typeof result?.then === 'function') return result.then(spoiled);
      return (async function* wrong() {
        for await (const item of result) yield spoiled(item);
      })();
    };
  },
  endless: (right) =>
    async function* endless(...args) {
      for (let round = 0; ; round++) {
        for await (const item of right(...args)) {
          yield typeof item?.path === 'string' ? { ...item, path: `${round}/${item.path}` } : item;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
    },
  'the same twice': (right) =>
    async function* twice(...args) {
      yield* right(...args);
      yield* right(...args);
    },
  'endless bytes': () => async () => ({
    bytes: (async function* bytes() {
      for (;;) {
        yield new Uint8Array(65_536).fill(120);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })(),
  }),
  'odd bytes':
    (_, { value }) =>
    async () => ({
      bytes: (async function* bytes() {
        yield new TextEncoder().encode('a fox\n');
        yield oddValues[value]();
      })(),
    }),
};

export const faultNames = Object.keys(faults);
