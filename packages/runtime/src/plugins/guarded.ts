import { TroveError } from '@trove/core';

type Method = (...args: never) => unknown;

/** Calls a plugin; `method` is named in errors. */
type Call = (method: string, use: () => unknown) => Promise<unknown>;

/** What each member of a contract is. A part of a contract has members of its own. */
export type Members<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? 'optional method'
    : T[K] extends Method
      ? 'method'
      : T[K] extends object
        ? Members<T[K]>
        : 'value';
};

/**
 * The members of a contract, and nothing else, of an object that a plugin made; its methods go through `call`. All
 * methods of `T` must return promises. Throws `plugin_invalid` naming a method that is not there, such as
 * `tasks.claim`; `name` is whose it is.
 */
export function guarded<T extends object>(
  name: string,
  own: T,
  members: NoInfer<Members<T>>,
  call: Call,
): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `members` names every member of T
  return held(name, '', Object(own), members, call) as T;
}

function held(name: string, prefix: string, own: object, members: object, call: Call): object {
  const all: Record<string, unknown> = {};
  for (const [member, kind] of Object.entries<unknown>({ ...members })) {
    const value: unknown = Reflect.get(own, member);
    const path = `${prefix}${member}`;
    if (kind === 'value') all[member] = value;
    else if (typeof kind === 'object' && kind !== null)
      all[member] = held(name, `${path}.`, Object(value), kind, call);
    else if (typeof value === 'function') all[member] = through(own, member, path, call);
    else if (kind === 'method' || value !== undefined)
      throw new TroveError('plugin_invalid', `${name}: \`${path}\` must be a method`);
  }
  return all;
}

function through(
  own: object,
  member: string,
  path: string,
  call: Call,
): (...args: unknown[]) => Promise<unknown> {
  return (...args) =>
    call(path, () => {
      const method: unknown = Reflect.get(own, member);
      if (typeof method !== 'function') throw new TypeError(`${path} is not a method`);
      return Reflect.apply(method, own, args);
    });
}
