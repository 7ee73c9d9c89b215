import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { readHref } from './read-href.js';
import { tokenize } from './syntax.js';
import { useShownPlace } from './use-shown-place.js';

interface Props {
  readonly path: string;
  readonly text: string;
  /** The number of the first line. */
  readonly from: number;
  /** The lines to point out. */
  readonly lines: readonly [number, number] | null;
}

/** A text with line numbers. The number of a line links to it. */
export function Code({ path, text, from, lines }: Props): JSX.Element {
  const tokens = useMemo(() => tokenize(text.replace(/\n$/, ''), path), [text, path]);
  const box = useRef<HTMLPreElement>(null);
  useShownPlace(box, `${path} ${text.length} ${lines?.join() ?? ''}`);
  return (
    <pre class="code" ref={box} tabIndex={0} aria-label="Text">
      {tokens.map((parts, index) => {
        const number = from + index;
        const isHere = lines !== null && number >= lines[0] && number <= lines[1];
        return (
          <div key={number} class={isHere ? 'line here' : 'line'}>
            <a
              class="line-number"
              href={readHref(path, { lines: [number, number] })}
              tabIndex={-1}
              aria-hidden="true"
              data-number={number}
            />
            <code>
              {parts.map((token, place) =>
                token.kind === null ? (
                  token.text
                ) : (
                  <span key={place} class={`token-${token.kind}`}>
                    {token.text}
                  </span>
                ),
              )}
              {'\n'}
            </code>
          </div>
        );
      })}
    </pre>
  );
}
