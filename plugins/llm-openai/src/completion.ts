import { TroveError } from '@trove/core';
import type { Completion, TokenUsage } from '@trove/core/model';
import type { ProviderApi } from '@trove/core/provider';

/**
 * Reads the completion from a response body. Throws `validation_error` if the model refuses to answer, and
 * `llm_answer_invalid` without text or the requested JSON.
 */
export function readCompletion(
  body: string,
  wantsJson: boolean,
  api: Pick<ProviderApi, 'invalidAnswerError'>,
): Completion {
  const value = parsed(body);
  if (value === undefined) throw api.invalidAnswerError('it is not JSON');
  return completionOf(value, wantsJson, api);
}

/** Like `readCompletion`, for a parsed body. */
export function completionOf(
  value: unknown,
  wantsJson: boolean,
  api: Pick<ProviderApi, 'invalidAnswerError'>,
): Completion {
  const choices = member(value, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = member(choice, 'message');
  if (message === undefined) throw api.invalidAnswerError('it has no message');
  const reason = member(choice, 'finish_reason');
  assertNotRefused(message, reason);

  const truncated = reason === 'length';
  const text = removeThinking(textOf(member(message, 'content')));
  const usage = usageOf(member(value, 'usage'));
  if (text === '') {
    throw invalidAnswer(
      truncated ? 'used all its tokens before it answered' : 'returned an empty answer',
    );
  }
  if (!wantsJson) return { text, truncated, usage };
  if (truncated) throw invalidAnswer('ran out of tokens before the end of its answer');
  return { text: extractJson(text), truncated, usage };
}

function assertNotRefused(message: unknown, reason: unknown): void {
  const refusal = member(message, 'refusal');
  const isRefused = typeof refusal === 'string' && refusal !== '';
  if (!isRefused && reason !== 'content_filter') return;
  const words = isRefused ? `: ${refusal.slice(0, 300)}` : '';
  throw new TroveError('validation_error', `The language model refused to answer${words}`, {
    suggestions: ['The content violates the rules of the provider. Another model may accept it.'],
  });
}

/** Returns a text, or the joined texts of its parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => member(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Removes the thinking that some models print before the answer. */
function removeThinking(text: string): string {
  const end = /^\s*<think>/.test(text) ? text.indexOf('</think>') : -1;
  if (end >= 0) return text.slice(end + '</think>'.length).trim();
  return /^\s*<think>/.test(text) ? '' : text.trim();
}

function extractJson(text: string): string {
  const json = removeFence(text);
  if (parsed(json) === undefined) throw invalidAnswer('did not answer with JSON as requested');
  return json;
}

/** Removes the code fence that some models put around JSON. */
function removeFence(text: string): string {
  const opening = /^```(?:json)?[^\S\n]*\n/.exec(text)?.[0];
  const isFenced = opening !== undefined && text.endsWith('```');
  return isFenced ? text.slice(opening.length, -'```'.length).trim() : text;
}

function usageOf(usage: unknown): TokenUsage | null {
  const input = member(usage, 'prompt_tokens');
  const output = member(usage, 'completion_tokens');
  return isCount(input) && isCount(output) ? { input, output } : null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns undefined for a text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a member of a value of any type. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function invalidAnswer(problem: string): TroveError {
  return new TroveError('llm_answer_invalid', `The language model ${problem}`);
}
