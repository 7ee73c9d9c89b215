import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly text: string;
}

/** A command with a button that copies it. Without access to the clipboard, the button selects the command. */
export function CopiedCommand({ label, text }: Props): JSX.Element {
  const id = useId();
  const code = useRef<HTMLElement>(null);
  const [result, setResult] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('Copied');
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setResult('Selected');
    }
  };
  return (
    <div class="command">
      <div class="command-head">
        <span id={id}>{label}</span>
        <span class="soft" role="status">
          {result}
        </span>
        <button
          type="button"
          class="small"
          aria-label={`Copy ${label}`}
          onClick={() => void copy()}
        >
          Copy
        </button>
      </div>
      <pre aria-labelledby={id} tabIndex={0}>
        <code ref={code}>{text}</code>
      </pre>
    </div>
  );
}
