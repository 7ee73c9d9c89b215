const texts = new WeakMap<object, string>();

/** Returns the text of a stand-in, or undefined for other values. */
export function unknownText(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? texts.get(value) : undefined;
}

/**
 * Returns a stand-in for a value that only an answer has, for functions of a description. Its members are stand-ins, too. As a
 * text, it is its path in braces. `onUse` is called when a function looks at it.
 */
export function unknownValue(path: string, onUse: () => void = () => undefined): object {
  const text = `{${path}}`;
  const memberOf = (name: string | symbol): unknown => {
    onUse();
    if (name === 'toJSON' || name === 'toString' || name === Symbol.toPrimitive) return () => text;
    // A stand-in is neither a promise nor a list.
    if (typeof name === 'symbol' || name === 'then') return undefined;
    return unknownValue(path === '' ? name : `${path}.${name}`, onUse);
  };
  const value = new Proxy(
    {},
    {
      get: (_, name) => memberOf(name),
      getOwnPropertyDescriptor: (_, name) => ({
        configurable: true,
        enumerable: true,
        value: memberOf(name),
      }),
    },
  );
  texts.set(value, text);
  return value;
}
