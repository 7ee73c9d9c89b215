import { stripVTControlCharacters } from 'node:util';
import * as clack from '@clack/prompts';
import { WizardCancelledError, type PromptChoice, type Prompts } from './prompts.js';

/** Returns the prompts of the terminal and shows a title. */
export function terminalPrompts(title: string): Prompts {
  clack.intro(title);
  return prompts;
}

const prompts: Prompts = {
  text: async (message, { initial, check } = {}) =>
    assertAnswered(
      await clack.text({
        message: toPrintable(message),
        ...(initial === undefined ? {} : { initialValue: initial }),
        ...(check === undefined ? {} : { validate: (text) => check(text ?? '') }),
      }),
    ),
  password: async (message, check) =>
    assertAnswered(
      await clack.password({
        message: toPrintable(message),
        ...(check === undefined ? {} : { validate: (text) => check(text ?? '') }),
      }),
    ),
  confirm: async (message, initial = true) =>
    assertAnswered(await clack.confirm({ message: toPrintable(message), initialValue: initial })),
  choose: async (message, choices, initial) => {
    const options = choices.map(optionOf);
    const chosen = assertAnswered(
      await clack.select<string>({
        message: toPrintable(message),
        options,
        ...(initial === undefined ? {} : { initialValue: initial }),
      }),
    );
    return findChoice(choices, chosen);
  },
  several: async (message, choices, initial = []) => {
    const chosen = assertAnswered(
      await clack.multiselect<string>({
        message: toPrintable(message),
        options: choices.map(optionOf),
        initialValues: [...initial],
        required: false,
      }),
    );
    return chosen.map((value) => findChoice(choices, value));
  },
  say: (text) => clack.log.info(toPrintable(text)),
  warn: (text) => clack.log.warn(toPrintable(text)),
};

function assertAnswered<T>(answer: T | typeof clack.CANCEL_SYMBOL): T {
  if (clack.isCancel(answer)) {
    clack.cancel('Nothing was changed.');
    throw new WizardCancelledError();
  }
  return answer;
}

function optionOf({ value, label, hint }: PromptChoice<string>) {
  return {
    value,
    label: toPrintable(label ?? value),
    ...(hint === undefined ? {} : { hint: toPrintable(hint) }),
  };
}

function findChoice<T extends string>(choices: readonly PromptChoice<T>[], value: string): T {
  const choice = choices.find((one) => one.value === value);
  if (choice === undefined) throw new TypeError(`${value} is not one of the choices`);
  return choice.value;
}

/** Removes control characters, because texts of plugins and sources must not move the cursor. */
function toPrintable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
