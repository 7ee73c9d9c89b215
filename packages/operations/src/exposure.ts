/** The public interfaces that offer an operation. Every operation is an HTTP route and a method of both clients. */
export interface Exposure {
  readonly http: true;
  readonly clients: true;
  /** The commands of `trove` that call the operation, such as `job list`, or the reason why none does. */
  readonly cli: readonly string[] | { readonly none: string };
}

/** Commands of `trove` call the operation. */
export function withCommands(...cli: readonly [string, ...string[]]): Exposure {
  return { http: true, clients: true, cli };
}

/** No command of `trove` calls the operation, for this reason. */
export function withoutCommand(reason: string): Exposure {
  return { http: true, clients: true, cli: { none: reason } };
}
