import type { JSX } from 'preact';
import { Age } from '../parts/age.js';
import { shownName } from '../parts/names.js';
import { RecordFields } from './record-table.js';
import type { Message } from './records.js';

/** Messages in their order, as in a chat or a mailbox. */
export function Conversation({ messages }: { readonly messages: readonly Message[] }): JSX.Element {
  return (
    <ol class="messages" aria-label="Messages">
      {messages.map(({ author, at, title, text, others }, index) => (
        <li key={index}>
          <p class="message-head">
            <strong>
              <bdi>{shownName(author ?? 'Unknown author')}</bdi>
            </strong>
            {at !== null && (Number.isNaN(Date.parse(at)) ? <span>{at}</span> : <Age time={at} />)}
          </p>
          {title !== null && (
            <p dir="auto">
              <strong>{title}</strong>
            </p>
          )}
          <p class="passage-text" dir="auto">
            {text}
          </p>
          {Object.keys(others).length > 0 && (
            <details>
              <summary class="soft">Other fields</summary>
              <RecordFields record={others} />
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
