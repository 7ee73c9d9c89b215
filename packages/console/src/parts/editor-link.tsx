import type { JSX } from 'preact';
import { editablePath, editors, useEditor } from './editors.js';

interface EditorLinkProps {
  readonly uri: string;
  /** Starts at 1. */
  readonly line: number;
}

/** Opens a local file in the chosen editor. Renders nothing for other objects. */
export function EditorLink({ uri, line }: EditorLinkProps): JSX.Element | null {
  const [editor] = useEditor();
  const path = editablePath(uri);
  if (path === null || editor === undefined) return null;
  return <a href={editor.linkTo(path, line)}>Open in {editor.name}</a>;
}

/** Chooses the editor. The browser remembers it. */
export function EditorChoice(): JSX.Element {
  const [editor, choose] = useEditor();
  return (
    <label class="editor-choice">
      Editor for local files{' '}
      <select value={editor?.id ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        {editors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="">none</option>
      </select>
    </label>
  );
}
