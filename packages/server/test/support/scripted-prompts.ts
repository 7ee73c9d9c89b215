import type { PromptChoice, Prompts } from '../../src/wizard/prompts.js';

/** A person who answers questions from a list. An unexpected question fails. */
export class ScriptedPrompts implements Prompts {
  /** What was asked, said and warned of, in order. */
  readonly shown: string[] = [];
  questions = 0;
  readonly #answers: (readonly [question: string, answer: string])[];

  constructor(answers: readonly (readonly [question: string, answer: string])[]) {
    this.#answers = [...answers];
  }

  async text(
    message: string,
    { check }: { initial?: string; check?: (text: string) => string | undefined } = {},
  ): Promise<string> {
    const answer = this.#next(message);
    const problem = check?.(answer);
    if (problem !== undefined) throw new Error(`${message}: ${problem}`);
    return answer;
  }

  password(message: string, check?: (text: string) => string | undefined): Promise<string> {
    return this.text(message, check === undefined ? {} : { check });
  }

  async confirm(message: string): Promise<boolean> {
    return this.#next(message) === 'yes';
  }

  async choose<T extends string>(message: string, choices: readonly PromptChoice<T>[]): Promise<T> {
    const answer = this.#next(message);
    const chosen = choices.find(({ value }) => value === answer);
    if (chosen === undefined) throw new Error(`${message}: ${answer} is no choice`);
    return chosen.value;
  }

  several(message: string): Promise<never> {
    return Promise.reject(new Error(`an unexpected question: ${message}`));
  }

  say(text: string): void {
    this.shown.push(text);
  }

  warn(text: string): void {
    this.shown.push(text);
  }

  #next(message: string): string {
    this.questions++;
    this.shown.push(message);
    const [question, answer] = this.#answers.shift() ?? ['', ''];
    if (question === '' || !message.includes(question))
      throw new Error(`an unexpected question after:\n${this.shown.slice(-3).join('\n')}`);
    return answer;
  }
}
