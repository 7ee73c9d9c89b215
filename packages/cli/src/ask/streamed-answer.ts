import { askEvents, type AskStreamEvent, type AskRequest, type AskResponse } from '@trove/client';
import { withElapsedTime } from '../graph/build-progress.js';
import type { Cli } from '../session/cli.js';

export interface StreamedAnswer {
  readonly response: AskResponse;
  /** The text on the screen. It differs from the answer if the language model failed after it. */
  readonly shown: string;
}

/** Asks a question and prints the text of its answer while a language model writes it. */
export async function streamAnswer(cli: Cli, body: AskRequest): Promise<StreamedAnswer> {
  const { out, err } = cli;
  const events = askEvents(cli.client.http, { body });
  let shown = '';
  try {
    let event = await withElapsedTime(cli, 'Answering', () => nextShown(events));
    while (event.event !== 'answer') {
      if (event.event === 'text') {
        shown += event.text;
        await out.write(out.safe(event.text));
      } else if (shown !== '') {
        shown = '';
        await out.line();
        await err.line('note: The language model starts again. Ignore the text above.');
      }
      event = await nextShown(events);
    }
    return { response: event.answer, shown };
  } finally {
    if (shown !== '') await out.line();
  }
}

/** Returns the next event after the passages. The last one is an answer, or the iterator throws. */
async function nextShown(
  events: AsyncGenerator<AskStreamEvent>,
): Promise<Exclude<AskStreamEvent, { readonly event: 'passages' }>> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw new Error('The answer is incomplete');
    if (value.event !== 'passages') return value;
  }
}
