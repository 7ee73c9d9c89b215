import { stripVTControlCharacters } from 'node:util';
import * as clack from '@clack/prompts';
import { WizardCancelled, type Choice, type Prompts } from './prompts.js';

/** Those of the terminal, under a title. */
export function terminalPrompts(title: string): Prompts {
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
