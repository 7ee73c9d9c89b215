import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** The button that confirms. */
  readonly action: string;
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onConfirm: () => void;
}

/** A button that asks before it acts. */
export function ConfirmButton({ label, action, title, children, onConfirm }: Props): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        {children}
        <div class="buttons">
          <button type="button" onClick={close}>
            Keep it
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {action}
          </button>
        </div>
      </dialog>
    </>
  );
}
