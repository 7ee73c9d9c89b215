import type { Command, Group } from './command.js';
import type { ArgumentDefs, Option } from './definitions.js';
import type { Program } from './program.js';
import { plainStyle, type Style } from './style.js';

/** The layout of help. Without `width`, lines are not wrapped. */
export interface HelpLayout {
  readonly style: Style;
  readonly width?: number | undefined;
}

/** Renders the help of a command or a group, with a final line break. */
export function renderHelp(
  { globals }: Pick<Program, 'globals'>,
  path: readonly string[],
  node: Command | Group,
  { style, width = Infinity }: HelpLayout = { style: plainStyle },
): string {
  const sheet = { style, width };
  return node.kind === 'group'
    ? groupHelp(path, node, sheet)
    : commandHelp(path, node, globals, sheet);
}

interface ResolvedLayout extends HelpLayout {
  readonly width: number;
}

function groupHelp(path: readonly string[], group: Group, sheet: ResolvedLayout): string {
  const { style, width } = sheet;
  const rows = group.commands.map(({ name, description }) => [name, description] as const);
  return joinSections([
    `${group.description}.`,
    `${style.bold('Usage')}\n  ${path.join(' ')} ${group.defaultCommand === undefined ? 'COMMAND' : '[COMMAND]'}`,
    `${style.bold('Commands')}\n${renderColumns(rows, sheet)}`,
    ...(group.defaultCommand === undefined
      ? []
      : [`Without a command, \`${group.defaultCommand}\` runs.`]),
    ...group.notes.map((note) => wrapText(note, '', width)),
    `\`${path.join(' ')} COMMAND --help\` describes a command.`,
  ]);
}

function commandHelp(
  path: readonly string[],
  item: Command,
  globals: ArgumentDefs,
  sheet: ResolvedLayout,
): string {
  const { style, width } = sheet;
  const examples = item.examples.map(({ command, does }) => [command, does] as const);
  const titled = (title: string, rows: HelpRows) =>
    rows.length === 0 ? '' : `${style.bold(title)}\n${renderColumns(rows, sheet)}`;
  return joinSections([
    `${item.description}.`,
    `${style.bold('Usage')}\n  ${usageOf(path, item.args)}`,
    titled('Arguments', positionalRows(item.args)),
    titled('Options', optionRows(item.args)),
    titled('Global options', optionRows(globals)),
    ...item.notes.map((note) => wrapText(note, '', width)),
    titled('Examples', examples),
  ]);
}

/** Pairs of a term and its explanation. */
export type HelpRows = readonly (readonly [string, string])[];

/** Returns `trove cat PATH [options]`. */
export function usageOf(path: readonly string[], args: ArgumentDefs): string {
  const places = Object.entries(args).flatMap(([name, arg]) => {
    if (arg.type !== 'positional') return [];
    const shown = name.toUpperCase() + (arg.repeats === true ? '…' : '');
    return arg.required === false ? `[${shown}]` : shown;
  });
  return [...path, ...places, '[options]'].join(' ');
}

/** Returns positional arguments and their descriptions. */
export function positionalRows(args: ArgumentDefs): HelpRows {
  return Object.entries(args)
    .filter(([, arg]) => arg.type === 'positional')
    .map(([name, arg]) => [name.toUpperCase(), arg.description] as const);
}

/** Returns options and their descriptions: `-n, --lines N`. */
export function optionRows(args: ArgumentDefs): HelpRows {
  return Object.entries(args).flatMap(([name, arg]) =>
    arg.type === 'positional' ? [] : [[optionName(name, arg), arg.description] as const],
  );
}

function optionName(name: string, option: Option): string {
  const long = option.type === 'boolean' && option.default === true ? `--no-${name}` : `--${name}`;
  const value = option.type === 'boolean' ? '' : ` ${option.valueHint ?? name.toUpperCase()}`;
  return `${option.alias === undefined ? '' : `-${option.alias}, `}${long}${value}`;
}

const maxLeftWidth = 44;
/** Narrower descriptions are not wrapped. */
const minRightWidth = 24;

function renderColumns(rows: HelpRows, { style, width }: ResolvedLayout): string {
  const leftWidth = Math.min(maxLeftWidth, Math.max(...rows.map(([left]) => left.length)));
  const indent = ' '.repeat(leftWidth + 4);
  return rows
    .map(([left, right]) => {
      const text = wrapText(right, indent, width);
      return left.length > leftWidth
        ? `  ${style.cyan(left)}\n${indent}${text}`
        : `  ${style.cyan(left.padEnd(leftWidth))}  ${text}`;
    })
    .join('\n');
}

/** Wraps a text at the width. Indents all lines except the first. */
function wrapText(text: string, indent: string, width: number): string {
  const room = width - indent.length - 1;
  if (text.includes('\n') || room < minRightWidth || text.length <= room) return text;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${indent}`);
}

function joinSections(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
