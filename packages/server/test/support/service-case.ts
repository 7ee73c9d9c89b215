/** The words of the one text that each service has. */
export const text = 'The lantern in the greenhouse flickers at night';

/** A fake service with one text, and a person who adds it. */
export interface ServiceCase {
  readonly scheme: string;
  /** Starts the service. `folder` is for files of the person. */
  start(folder: string): Promise<StartedService>;
}

export interface StartedService extends AsyncDisposable {
  /** Settings that lead to the fake instead of the vendor. */
  readonly addresses: Readonly<Record<string, unknown>>;
  readonly target: string;
  /** The answers in order, each with a part of its question. */
  readonly answers: readonly (readonly [question: string, answer: string])[];
  /** Takes a right away. */
  removeRight(): void;
  /** What the check then says. */
  readonly problem: RegExp;
}

export interface Fake extends AsyncDisposable {
  readonly service: { readonly origin: string };
}

/** A started fake with the members of its case. */
export function started(
  fake: Fake,
  members: Omit<StartedService, typeof Symbol.asyncDispose>,
): StartedService {
  return { ...members, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}
