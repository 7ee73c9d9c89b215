import { TroveError } from '@trove/core';

type Method = (...args: never) => unknown;

/** What each member of a contract is. */
export type Members<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? 'optional method'
    : T[K] extends Method
      ? 'method'
      : 'value';
};

/**
 * The members of a contract, and nothing else, of an object that a plugin made; its methods go through `call`. All
 * methods of `T` must return promises. Throws `plugin_invalid` naming a method that is not there; `name` is whose it is.
 */
export function guarded<T extends object>(
  name: string,
  own: T,
  members: NoInfer<Members<T>>,
  call: (method: string, use: () => unknown) => Promise<unknown>,
): T {
  const held: Record<string, unknown> = {};
  for (const [member, kind] of Object.entries(members)) {
    const value: unknown = Object(own)[member];
    if (kind === 'value') held[member] = value;
    else if (typeof value === 'function') held[member] = through(own, member, call);
    else if (kind === 'method' || value !== undefined)
      throw new TroveError('plugin_invalid', `${name}: \`${member}\` must be a method`);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `members` names every member of T
  return held as T;
}

function through(
  own: object,
  member: string,
  call: (method: string, use: () => unknown) => Promise<unknown>,
): (...args: unknown[]) => Promise<unknown> {
  return (...args) =>
    call(member, () => {
      const method: unknown = Reflect.get(own, member);
      if (typeof method !== 'function') throw new TypeError(`${member} is not a method`);
      return Reflect.apply(method, own, args);
    });
}
