import { isTroveError, type GivenSecret, type Questions } from '@trove/core';
import { readSecret } from 'trove';
import { askSecret } from './ask-config.js';
import type { Prompts } from './prompts.js';

/** Returns the questions of a plugin on a terminal. */
export function questionsOn(prompts: Prompts): Questions {
  return {
    text: (message, options) => prompts.text(message, options),
    secret: (message) => askReadableSecret(prompts, message),
    choose: (message, choices, initial) => prompts.choose(message, choices, initial),
    several: (message, choices, initial) => prompts.several(message, choices, initial),
    say: (text) => prompts.say(text),
    warn: (text) => prompts.warn(text),
  };
}

/** Asks until the secret can be read, because the plugin uses it at once. */
async function askReadableSecret(prompts: Prompts, message: string): Promise<GivenSecret> {
  const given = await askSecret(prompts, message);
  try {
    return { given, value: await readSecret(message, given) };
  } catch (error) {
    if (!isTroveError(error)) throw error;
    prompts.warn(error.detail);
    return askReadableSecret(prompts, message);
  }
}
