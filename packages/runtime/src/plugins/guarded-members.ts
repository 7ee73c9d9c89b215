import { TroveError } from '@trove/core';

type AnyMethod = (...args: never) => unknown;

/** Calls a plugin. Errors name `method`. */
type GuardedCall = (method: string, use: () => unknown) => Promise<unknown>;

/** The kind of each member of a contract. Nested objects have members of their own. */
export type ContractMembers<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? 'optional method'
    : T[K] extends AnyMethod
      ? 'method'
      : T[K] extends object
        ? ContractMembers<T[K]>
        : 'value';
};

/**
 * Copies the members of a contract from a plugin's object. Its methods, which must return promises, go through
 * `call`. Throws `plugin_invalid` naming a missing method, such as `tasks.claim`. `name` identifies the plugin.
 */
export function guardMembers<T extends object>(
  name: string,
  own: T,
  members: NoInfer<ContractMembers<T>>,
  call: GuardedCall,
): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `members` names every member of T
  return guardLevel(name, '', Object(own), members, call) as T;
}

function guardLevel(
  name: string,
  prefix: string,
  own: object,
  members: object,
  call: GuardedCall,
): object {
  const all: Record<string, unknown> = {};
  for (const [member, kind] of Object.entries<unknown>({ ...members })) {
    const value: unknown = Reflect.get(own, member);
    const path = `${prefix}${member}`;
    if (kind === 'value') all[member] = value;
    else if (typeof kind === 'object' && kind !== null)
      all[member] = guardLevel(name, `${path}.`, Object(value), kind, call);
    else if (typeof value === 'function') all[member] = guardMethod(own, member, path, call);
    else if (kind === 'method' || value !== undefined)
      throw new TroveError('plugin_invalid', `${name}: \`${path}\` must be a method`);
  }
  return all;
}

function guardMethod(
  own: object,
  member: string,
  path: string,
  call: GuardedCall,
): (...args: unknown[]) => Promise<unknown> {
  return (...args) =>
    call(path, () => {
      const method: unknown = Reflect.get(own, member);
      if (typeof method !== 'function') throw new TypeError(`${path} is not a method`);
      return Reflect.apply(method, own, args);
    });
}
