import { optionRows, positionalRows, type HelpRows, usageOf } from '../help.js';
import type { Program } from '../program.js';
import { listCommands, type NamedCommand } from './command-list.js';

/** A section of the page: its title and its rows. */
export interface ManSection {
  readonly title: string;
  readonly rows: HelpRows;
}

/** Renders the manual page of all commands as roff. */
export async function renderMan(
  { root, globals, version }: Pick<Program, 'root' | 'globals' | 'version'>,
  after: readonly ManSection[],
): Promise<string> {
  const commands = await listCommands(root);
  const lines = [
    `.TH ${root.name.toUpperCase()} 1 "" "${root.name} ${version()}" "${root.name}"`,
    '.SH NAME',
    `${text(root.name)} \\- ${text(lowerFirst(root.description))}`,
    '.SH SYNOPSIS',
    `.B ${text(root.name)}`,
    text('COMMAND [options]'),
    '.SH DESCRIPTION',
    ...root.notes.flatMap((note, at) => [
      ...(at === 0 ? [] : ['.PP']),
      '.nf',
      ...note.split('\n').map(text),
      '.fi',
    ]),
    '.SH GLOBAL OPTIONS',
    ...rows(optionRows(globals)),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    ...after.flatMap((section) => [`.SH ${section.title}`, ...rows(section.rows)]),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ path, command }: NamedCommand): string[] {
  const title = [`.SS ${text(path.join(' '))}`, `${text(command.description)}.`];
  if (command.aliasOf !== undefined)
    return [...title, `The same as \\fB${text(command.aliasOf)}\\fR.`];
  return [
    ...title,
    '.PP',
    `.B ${text(usageOf(path, command.args))}`,
    ...rows(positionalRows(command.args)),
    ...rows(optionRows(command.args)),
    ...command.notes.flatMap((note) => ['.PP', text(note)]),
    ...command.examples.flatMap(({ command: line, does }) => [
      '.PP',
      `${text(upperFirst(does))}:`,
      '.PP',
      '.nf',
      `.RS`,
      text(line),
      '.RE',
      '.fi',
    ]),
  ];
}

function rows(pairs: HelpRows): string[] {
  return pairs.flatMap(([left, right]) => ['.TP', `.B ${text(left)}`, text(right)]);
}

/** Converts Markdown to roff. Words in backquotes become bold. */
function text(markdown: string): string {
  return markdown
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/`([^`]+)`/g, '\\fB$1\\fR')
    .replace(/^(?=[.'])/gm, '\\&')
    .replace(/[^\u0000-\u007f]/gu, glyph);
}

/** Escapes a character outside ASCII for any output encoding. */
function glyph(char: string): string {
  return `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function upperFirst(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
