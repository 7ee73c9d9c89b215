import { useEffect, useState } from 'preact/hooks';
import { base } from '../address.js';

/** An editor that opens files by a link. */
interface Editor {
  readonly id: string;
  readonly name: string;
  /** Returns the link to a line of a file. `path` is encoded. */
  readonly linkTo: (path: string, line: number) => string;
}

const key = 'trove-editor';
const changed = 'trove-editor-changed';
const localRoot = 'file://local/';

const likeCode = (scheme: string) => (path: string, line: number) =>
  `${scheme}://file${path}:${line}`;
const likeIdea = (scheme: string) => (path: string, line: number) =>
  `${scheme}://open?file=${path.replaceAll('&', '%26')}&line=${line}`;

export const editors: readonly Editor[] = [
  { id: 'vscode', name: 'VS Code', linkTo: likeCode('vscode') },
  { id: 'cursor', name: 'Cursor', linkTo: likeCode('cursor') },
  { id: 'windsurf', name: 'Windsurf', linkTo: likeCode('windsurf') },
  { id: 'vscodium', name: 'VSCodium', linkTo: likeCode('vscodium') },
  { id: 'zed', name: 'Zed', linkTo: likeCode('zed') },
  { id: 'idea', name: 'IntelliJ IDEA', linkTo: likeIdea('idea') },
  { id: 'pycharm', name: 'PyCharm', linkTo: likeIdea('pycharm') },
  { id: 'webstorm', name: 'WebStorm', linkTo: likeIdea('webstorm') },
];

/** Returns the chosen editor, and a function that chooses one by its id. */
export function useEditor(): readonly [Editor | undefined, (id: string) => void] {
  const [id, setId] = useState(storedId);
  useEffect(() => {
    const update = (): void => setId(storedId());
    addEventListener(changed, update);
    return () => removeEventListener(changed, update);
  }, []);
  const choose = (next: string): void => {
    localStorage.setItem(key, next);
    dispatchEvent(new Event(changed));
  };
  return [editors.find((editor) => editor.id === id), choose];
}

/** Returns the path of a file of this machine for a link, or null. A remote server has other files. */
export function editablePath(uri: string, server = base): string | null {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(server).hostname);
  if (!isLocal || !uri.startsWith(localRoot)) return null;
  return uri.slice(localRoot.length - 1);
}

function storedId(): string {
  return localStorage.getItem(key) ?? 'vscode';
}
