/** The public interfaces that offer an operation. Every operation is an HTTP route and a method of both clients. */
export interface Exposure {
  readonly http: true;
  readonly clients: true;
  /** The commands of `trove` that call the operation, such as `job list`, or the reason for having none. */
  readonly cli: readonly string[] | { readonly none: string };
  /** The tools of agents that call the operation. Agents search and read, so most operations have none. */
  readonly tools: readonly string[];
}

/** Declares the commands of `trove` that call the operation. */
export function withCommands(...cli: readonly [string, ...string[]]): Exposure {
  return { http: true, clients: true, cli, tools: [] };
}

/** Declares that no command of `trove` calls the operation, with the reason. */
export function withoutCommand(reason: string): Exposure {
  return { http: true, clients: true, cli: { none: reason }, tools: [] };
}

/** Adds the tools of agents that call the operation. */
export function withTools(exposure: Exposure, ...tools: readonly [string, ...string[]]): Exposure {
  return { ...exposure, tools };
}
