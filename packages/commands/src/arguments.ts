import { UsageError } from './errors.js';

/** The values of a command line, by argument name. */
export class Arguments<Name extends string> {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: Name): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Returns all values of a repeatable argument. */
  texts(name: Name): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  /** Throws a UsageError if the value is missing or blank. */
  required(name: Name): string {
    const value = this.text(name);
    if (value === undefined || value.trim() === '') {
      throw new UsageError(`${name.toUpperCase()} must not be blank`);
    }
    return value;
  }

  flag(name: Name): boolean {
    return this.#values[name] === true;
  }

  /** Returns true for `--name`, false for `--no-name`, and undefined for neither. */
  optionalFlag(name: Name): boolean | undefined {
    const value = this.#values[name];
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Throws a UsageError unless the value is a whole number. The server checks the range. */
  integer(name: Name): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--${name} must be a whole number`);
    return Number(value);
  }

  /** Throws a UsageError unless the value is one of the choices. */
  oneOf<const C extends string>(name: Name, choices: readonly C[]): C | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const choice = choices.find((item) => item === value);
    if (choice === undefined) {
      throw new UsageError(`--${name} must be one of ${choices.join(', ')}`);
    }
    return choice;
  }
}
