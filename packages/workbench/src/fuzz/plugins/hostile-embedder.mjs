// An embedder that behaves until a plan names an occasion and a fault. The plan is a file that is read at every call,
// so it can change while the server runs. The module is copied into its own package with the only module that it
// imports.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { oddValues } from './odd-values.mjs';

const testDimension = 256;
const placesOfAWord = 4;

const embedder = {
  kind: 'embedder',
  apiVersion: 1,
  configSchema: {
    type: 'object',
    properties: { plan_file: { type: 'string' } },
    required: ['plan_file'],
    additionalProperties: false,
  },
  create({ config: { plan_file: file } }) {
    const planNow = () => JSON.parse(readFileSync(file, 'utf8'));
    const made = {
      model: 'words',
      dimension: testDimension,
      nature: 'semantic',
      embed: hostileEmbed(planNow),
      async close() {
        const { method, fault, value } = planNow();
        if (method === 'close') await failures[fault](value);
      },
    };
    const { method, fault, value, member } = planNow();
    if (method === 'create') return failures[fault](value);
    if (method === 'facts') made[member] = oddValues[value]();
    return made;
  },
};

/** The first is called in the server's thread, the second in its worker threads. */
export default [
  { ...embedder, keys: ['hostile'] },
  { ...embedder, keys: ['hostile-local'], workerModule: import.meta.url },
];

function hostileEmbed(planNow) {
  let calls = 0;
  return async (texts) => {
    const plan = planNow();
    const right = texts.map(vectorOf);
    calls++;
    if (plan.method !== 'embed' || !occasions[plan.when](texts, calls)) return right;
    return embedFaults[plan.fault](right, plan, texts);
  };
}

/** The occasions of faults. */
const occasions = {
  always: () => true,
  'at one text': (texts) => texts.some((text) => text.includes('word3')),
  'every other time': (_, calls) => calls % 2 === 0,
  'with several texts': (texts) => texts.length > 1,
};

/** The direction of a text follows from its words, so a query for a word finds the texts that repeat it. */
function vectorOf(text) {
  const vector = new Float32Array(testDimension);
  for (const word of text.toLowerCase().match(/\w+/g) ?? ['']) {
    const digest = createHash('sha256').update(word).digest();
    for (let at = 0; at < placesOfAWord; at++) vector[digest[at]] += 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

const failures = {
  throw: (value) => {
    throw oddValues[value]();
  },
  reject: (value) => Promise.reject(oddValues[value]()),
  'return something else': (value) => oddValues[value](),
  hang: () => new Promise(() => {}),
};

const kept = new Map();

/** The faults of a call. Each gets the right vectors. */
const embedFaults = {
  throw: (_, { value }) => failures.throw(value),
  'resolve to something else': (_, { value }) => oddValues[value](),
  hang: failures.hang,
  'an error of ours': (_, { code, retryable }) => {
    throw Object.assign(new Error('not now'), {
      [Symbol.for('trove.error')]: true,
      code,
      retryable,
    });
  },
  'leave a rejection': (right, { value }) => {
    void Promise.reject(oddValues[value]());
    return right;
  },
  'throw later': (right, { value }) => {
    setTimeout(() => {
      throw oddValues[value]();
    }, 5);
    return right;
  },
  'answer late': (right) => new Promise((resolve) => setTimeout(() => resolve(right), 300)),
  'too few': (right) => right.slice(1),
  'too many': (right) => [...right, right[0]],
  'an odd one among them': (right, { value }) =>
    right.map((vector, at) => (at === 0 ? oddValues[value]() : vector)),
  holes: (right) => Array.from({ length: right.length + 1 }).slice(1),
  'holes only': (right) => Object.assign([], { length: right.length }),
  'a list that is a trap': (right) =>
    new Proxy(right, {
      get() {
        throw new Error('this trap throws');
      },
    }),
  'vectors that are traps': (right) => right.map((vector) => new Proxy(vector, {})),
  'no numbers': (right) => right.map((vector) => vector.fill(Number.NaN, 1, 2)),
  'infinite numbers': (right) => right.map((vector) => vector.fill(Infinity, 1, 2)),
  'huge numbers': (right) => right.map((vector) => vector.map((number) => number * 1e30)),
  'tiny numbers': (right) => right.map((vector) => vector.map((number) => number * 1e-30)),
  zeros: (right) => right.map((vector) => vector.fill(0)),
  'wrong dimensions': (right) => right.map((vector) => vector.slice(1)),
  'no dimension': (right) => right.map(() => new Float32Array(0)),
  'plain lists': (right) => right.map((vector) => [...vector]),
  'another type': (right) => right.map((vector) => Float64Array.from(vector)),
  'views of one buffer': (right) =>
    viewsOf(new ArrayBuffer(right.length * testDimension * 4), right),
  'views of shared memory': (right) =>
    viewsOf(new SharedArrayBuffer(right.length * testDimension * 4), right),
  'vectors that it keeps': (right, _, texts) =>
    right.map((vector, at) => {
      if (!kept.has(texts[at])) kept.set(texts[at], vector);
      return kept.get(texts[at]);
    }),
  'vectors that it changes': (right) => {
    setImmediate(() => right.forEach((vector) => vector.fill(0.5)));
    return right;
  },
  'vectors that it gives away': (right) => {
    for (const vector of right) structuredClone(vector, { transfer: [vector.buffer] });
    return right;
  },
};

/** One buffer holds all vectors and is reused afterwards. */
function viewsOf(buffer, right) {
  const views = right.map((vector, at) => {
    const view = new Float32Array(buffer, at * testDimension * 4, testDimension);
    view.set(vector);
    return view;
  });
  setImmediate(() => new Float32Array(buffer).fill(0.5));
  return views;
}

export const embedFaultNames = Object.keys(embedFaults);
export const failureNames = Object.keys(failures);
export const occasionNames = Object.keys(occasions);
