import type { ToolAnswer } from './tool.js';

interface AnswerFrame {
  /** Continues the answer. Null if it is complete. */
  readonly cursor: string | null;
  /** What the answer omits, and what to do about it. */
  readonly notes: readonly string[];
}

/** Completes an answer: `lines` for models, `data` for programs, and the frame for both. */
export function answer(
  lines: readonly string[],
  data: Readonly<Record<string, unknown>>,
  { cursor, notes }: AnswerFrame,
): ToolAnswer {
  const more = cursor === null ? [] : [`More follows. Repeat the call with cursor: ${cursor}`];
  return {
    text: [...lines, ...notes.map((note) => `Note: ${note}`), ...more].join('\n'),
    data: {
      ...data,
      ...(cursor === null ? {} : { cursor }),
      ...(notes.length === 0 ? {} : { notes }),
    },
  };
}
