/** A resource by its type: `{ task: '10007' }`. */
export type LoggedResource = Readonly<Record<string, string>>;

interface LoggedEvent {
  readonly number: number;
  readonly projects: ReadonlySet<string>;
  readonly resource: LoggedResource;
  readonly action: string;
  readonly parent: LoggedResource | null;
  readonly at: number;
}

/** The events of all projects. */
export class EventLog {
  readonly #events: LoggedEvent[] = [];
  /** Tokens of other generations have expired. */
  generation = 1;

  add(
    projects: ReadonlySet<string>,
    resource: LoggedResource,
    action: string,
    parent: LoggedResource | null,
    at: number,
  ): void {
    const number = this.#events.length + 1;
    this.#events.push({ number, projects, resource, action, parent, at });
  }

  /** The current token. */
  get token(): string {
    return this.tokenAt(this.#events.length);
  }

  tokenAt(number: number): string {
    return `de4774f6915eae04714ca93bb2f5ee8${this.generation}:${number}`;
  }

  /** Returns the events of a project since a token. Null if it has expired. */
  since(token: string, project: string): readonly LoggedEvent[] | null {
    const [, generation, number] = /^[\da-f]{31}(\d+):(\d+)$/.exec(token) ?? [];
    if (Number(generation) !== this.generation) return null;
    return this.#events.slice(Number(number)).filter(({ projects }) => projects.has(project));
  }
}
