import { stripVTControlCharacters } from 'node:util';
import * as clack from '@clack/prompts';

export interface Choice<T extends string> {
  readonly value: T;
  readonly label?: string;
  readonly hint?: string;
}

/** Questions asked on a terminal. Each throws `WizardCancelled` when it is left. */
export interface Prompts {
  /** `check` says what is wrong with an answer, or nothing. */
  text(
    message: string,
    options?: { initial?: string; check?: (text: string) => string | undefined },
  ): Promise<string>;
  password(message: string): Promise<string>;
  confirm(message: string, initial?: boolean): Promise<boolean>;
  choose<T extends string>(message: string, choices: readonly Choice<T>[], initial?: T): Promise<T>;
  several<T extends string>(
    message: string,
    choices: readonly Choice<T>[],
    initial?: readonly T[],
  ): Promise<T[]>;
  say(text: string): void;
  warn(text: string): void;
}

export class WizardCancelled extends Error {
  override readonly name = 'WizardCancelled';
}

/** Those of a terminal; null where nobody could answer. */
export function terminalPrompts(title: string): Prompts | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  clack.intro(title);
  return prompts;
}

const prompts: Prompts = {
  text: async (message, { initial, check } = {}) =>
    answered(
      await clack.text({
        message: printable(message),
        ...(initial === undefined ? {} : { initialValue: initial }),
        ...(check === undefined ? {} : { validate: (text) => check(text ?? '') }),
      }),
    ),
  password: async (message) => answered(await clack.password({ message: printable(message) })),
  confirm: async (message, initial = true) =>
    answered(await clack.confirm({ message: printable(message), initialValue: initial })),
  choose: async (message, choices, initial) => {
    const options = choices.map(optionOf);
    const chosen = answered(
      await clack.select<string>({
        message: printable(message),
        options,
        ...(initial === undefined ? {} : { initialValue: initial }),
      }),
    );
    return found(choices, chosen);
  },
  several: async (message, choices, initial = []) => {
    const chosen = answered(
      await clack.multiselect<string>({
        message: printable(message),
        options: choices.map(optionOf),
        initialValues: [...initial],
        required: false,
      }),
    );
    return chosen.map((value) => found(choices, value));
  },
  say: (text) => clack.log.info(printable(text)),
  warn: (text) => clack.log.warn(printable(text)),
};

function answered<T>(answer: T | typeof clack.CANCEL_SYMBOL): T {
  if (clack.isCancel(answer)) {
    clack.cancel('Nothing was changed.');
    throw new WizardCancelled();
  }
  return answer;
}

function optionOf({ value, label, hint }: Choice<string>) {
  return {
    value,
    label: printable(label ?? value),
    ...(hint === undefined ? {} : { hint: printable(hint) }),
  };
}

function found<T extends string>(choices: readonly Choice<T>[], value: string): T {
  const choice = choices.find((one) => one.value === value);
  if (choice === undefined) throw new TypeError(`${value} is none of the choices`);
  return choice.value;
}

/** What plugins and sources say must not move the cursor. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
