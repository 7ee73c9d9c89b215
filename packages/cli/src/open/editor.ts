import { basename } from 'node:path';

import { splitCommand } from './command-words.js';
import type { TargetPosition } from '../paths/position.js';

type EditorPosition = Pick<TargetPosition, 'line' | 'column'>;
type EditorSyntax = (file: string, where: { line: number; column: number }) => string[];

const plus: EditorSyntax = (file, { line }) => [`+${line}`, file];
const cursor: EditorSyntax = (file, { line, column }) => [`+call cursor(${line},${column})`, file];
const colons: EditorSyntax = (file, { line, column }) => [`${file}:${line}:${column}`];
const goto: EditorSyntax = (file, { line, column }) => ['--goto', `${file}:${line}:${column}`];
const named: EditorSyntax = (file, { line, column }) => [
  '--line',
  `${line}`,
  '--column',
  `${column}`,
  file,
];

/** How each editor takes a position. */
const syntaxes: readonly (readonly [names: string, syntax: EditorSyntax])[] = [
  ['vim nvim gvim mvim', cursor],
  ['vi view ex nvi less most joe jed mg', plus],
  ['nano pico rnano', (file, { line, column }) => [`+${line},${column}`, file]],
  [
    'emacs emacsclient micro kak gedit gnome-text-editor',
    (file, { line, column }) => [`+${line}:${column}`, file],
  ],
  ['code code-insiders codium vscodium cursor windsurf positron', goto],
  ['subl sublime_text hx helix zed zeditor lapce', colons],
  ['kate kwrite idea webstorm pycharm goland clion rubymine phpstorm rustrover', named],
  ['mate', (file, { line }) => ['--line', `${line}`, file]],
  ['notepad++', (file, { line, column }) => [`-n${line}`, `-c${column}`, file]],
];

/** Returns the editor from `VISUAL` or `EDITOR`, else the one that owns the terminal, else vi. */
export function chooseEditor(env: NodeJS.ProcessEnv): string {
  return (
    env['VISUAL'] || env['EDITOR'] || (env['TERM_PROGRAM'] === 'vscode' ? 'code --wait' : 'vi')
  );
}

/** Builds the command that opens a file, at a position if the editor is known. */
export function editorCommand(
  editor: string,
  file: string,
  { line, column }: EditorPosition,
): string[] {
  const words = splitCommand(editor);
  if (line === null) return [...words, file];
  const name = basename(words[0] ?? '').replace(/\.(?:exe|cmd)$/i, '');
  const syntax = syntaxes.find(([names]) => names.split(' ').includes(name))?.[1];
  return [...words, ...(syntax?.(file, { line, column: column ?? 1 }) ?? [file])];
}
