// Values that a hostile plugin throws, returns or replaces right ones with.

const throwing = () => {
  throw new Error('this trap throws');
};

/** A thenable. */
// oxlint-disable-next-line unicorn/no-thenable -- it is meant to mislead
const thenable = (then) => Object.defineProperty({}, 'then', { value: then });

export const oddValues = {
  undefined: () => undefined,
  null: () => null,
  'no number': () => Number.NaN,
  negative: () => -1,
  huge: () => 1e308,
  bigint: () => 10n,
  symbol: () => Symbol('odd'),
  function: () => () => 1,
  object: () => ({}),
  list: () => [1, 'two', null],
  text: () => 'text',
  'an empty text': () => '',
  'a long text': () => 'x'.repeat(3_000_000),
  'a climbing path': () => '../../etc/passwd',
  'an absolute path': () => '/etc/passwd',
  'a text with NUL': () => 'a\0b',
  'a lone surrogate': () => 'a\ud800b',
  'a bad date': () => new Date(Number.NaN),
  'an error': () => new Error('the plugin is unwell'),
  'an error with a code of ours': () => Object.assign(new Error('not here'), { code: 'not_found' }),
  'an error with an inner code': () => Object.assign(new Error('no'), { code: 'internal_error' }),
  'an error with a huge message': () => new Error('x'.repeat(3_000_000)),
  'an error whose message throws': () =>
    Object.defineProperty(new Error(''), 'message', { get: throwing }),
  'an error that is its own cause': () => {
    const error = new Error('round');
    error.cause = error;
    return error;
  },
  'a circle': () => {
    const circle = {};
    circle.self = circle;
    return circle;
  },
  'a deep object': () => {
    let deep = {};
    for (let depth = 0; depth < 20_000; depth++) deep = { deep };
    return deep;
  },
  'many members': () =>
    Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`m${at}`, at])),
  'a trap': () =>
    new Proxy(
      {},
      { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing, set: throwing },
    ),
  'no prototype': () => Object.create(null),
  'a text that throws': () => ({
    toString: throwing,
    toJSON: throwing,
    [Symbol.toPrimitive]: throwing,
  }),
  'a false promise': () => thenable(throwing),
  'a promise that never is': () => thenable(() => {}),
  'a false iterator': () => ({ [Symbol.asyncIterator]: () => ({ next: () => 7 }) }),
  'an iterator that throws': () => ({ [Symbol.asyncIterator]: throwing }),
  map: () => new Map([['a', 1]]),
  bytes: () => new Uint8Array(3),
};
