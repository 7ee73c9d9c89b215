/** Where Node keeps what its `fetch` is made of. */
const dispatcher = Symbol.for('undici.globalDispatcher.1');

/** Lets the fetch of Node give up after about a second instead of five minutes while something runs. */
export async function withFetchTimeouts<T>(run: () => Promise<T>): Promise<T> {
  await fetch('data:,');
  const usual: unknown = Reflect.get(globalThis, dispatcher);
  const Agent: unknown = Reflect.get(Object(usual), 'constructor');
  if (typeof Agent !== 'function') throw new Error('the fetch of this Node is another one');
  const limits = { headersTimeout: 500, bodyTimeout: 500 };
  Reflect.set(globalThis, dispatcher, Reflect.construct(Agent, [limits]));
  try {
    return await run();
  } finally {
    Reflect.set(globalThis, dispatcher, usual);
  }
}
