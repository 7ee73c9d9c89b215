import { PartialAnswer } from './partial-answer.js';

/** Receives the verified text of an answer while a language model writes it. */
export interface AnswerReceiver {
  text(piece: string): Promise<void>;
  /** The model starts again, so the text so far is void. */
  restart(): Promise<void>;
}

/**
 * Returns a function that opens a stream for each attempt of a language model. A stream passes on each statement when
 * it is complete. `verify` returns the verified text of an answer whose last statements are missing.
 */
export function openAnswerStreams(
  verify: (partial: unknown) => string,
  receiver: AnswerReceiver,
): () => (piece: string) => Promise<void> {
  let hasText = false;
  return () => {
    const partial = new PartialAnswer();
    let sent = 0;
    return async (piece) => {
      const answer = partial.push(piece);
      if (answer === null) return;
      const text = verify(answer);
      if (text.length <= sent) return;
      if (hasText && sent === 0) await receiver.restart();
      hasText = true;
      const added = text.slice(sent);
      sent = text.length;
      await receiver.text(added);
    };
  };
}
