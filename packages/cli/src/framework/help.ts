import { type Style, plainStyle } from '../terminal/style.js';
import type { Command, Group } from './command.js';
import type { ArgumentDefs, Option } from './definitions.js';
import { globalArgs } from './globals.js';

/** The help of a command or a group, ending in a line break. */
export function renderHelp(
  path: readonly string[],
  node: Command | Group,
  style: Style = plainStyle,
  width: number = Infinity,
): string {
  const layout = { ...style, width };
  return node.kind === 'group' ? groupHelp(path, node, layout) : commandHelp(path, node, layout);
}

/** How the help is shown: `width` is that of the terminal. */
interface Layout extends Style {
  readonly width: number;
}

function groupHelp(path: readonly string[], group: Group, style: Layout): string {
  const rows = group.commands.map(({ name, description }) => [name, description] as const);
  return sections([
    `${group.description}.`,
    `${style.bold('Usage')}\n  ${path.join(' ')} COMMAND`,
    `${style.bold('Commands')}\n${columns(rows, style)}`,
    ...group.notes.map((note) => wrapped(note, '', style.width)),
    `\`${path.join(' ')} COMMAND --help\` says more about each.`,
  ]);
}

function commandHelp(path: readonly string[], item: Command, style: Layout): string {
  const own = optionRows(item.args, (name) => !(name in globalArgs));
  const positionals = positionalRows(item.args);
  const examples = item.examples.map(({ command, does }) => [command, does] as const);
  return sections([
    `${item.description}.`,
    `${style.bold('Usage')}\n  ${usage(path, item.args)}`,
    positionals.length === 0 ? '' : `${style.bold('Arguments')}\n${columns(positionals, style)}`,
    own.length === 0 ? '' : `${style.bold('Options')}\n${columns(own, style)}`,
    `${style.bold('Global options')}\n${columns(
      optionRows(item.args, (name) => name in globalArgs),
      style,
    )}`,
    ...item.notes.map((note) => wrapped(note, '', style.width)),
    `${style.bold('Examples')}\n${columns(examples, style)}`,
  ]);
}

/** `trove cat PATH [options]`. */
export function usage(path: readonly string[], args: ArgumentDefs): string {
  const places = Object.entries(args).flatMap(([name, arg]) => {
    if (arg.type !== 'positional') return [];
    const shown = name.toUpperCase() + (arg.repeats === true ? '…' : '');
    return arg.required === false ? `[${shown}]` : shown;
  });
  return [...path, ...places, '[options]'].join(' ');
}

/** Positional arguments and their descriptions. */
export function positionalRows(args: ArgumentDefs): (readonly [string, string])[] {
  return Object.entries(args)
    .filter(([, arg]) => arg.type === 'positional')
    .map(([name, arg]) => [name.toUpperCase(), arg.description] as const);
}

/** Options and their descriptions: `-n, --lines N`. */
export function optionRows(
  args: ArgumentDefs,
  include: (name: string) => boolean,
): (readonly [string, string])[] {
  return Object.entries(args).flatMap(([name, arg]) =>
    arg.type !== 'positional' && include(name)
      ? [[optionName(name, arg), arg.description] as const]
      : [],
  );
}

function optionName(name: string, option: Option): string {
  const long = option.type === 'boolean' && option.default === true ? `--no-${name}` : `--${name}`;
  const value = option.type === 'boolean' ? '' : ` ${option.valueHint ?? name.toUpperCase()}`;
  return `${option.alias === undefined ? '' : `-${option.alias}, `}${long}${value}`;
}

const WIDEST_LEFT = 44;
/** Descriptions narrower than this are not wrapped, but left to the terminal. */
const NARROWEST_RIGHT = 24;

function columns(rows: readonly (readonly [string, string])[], style: Layout): string {
  const width = Math.min(WIDEST_LEFT, Math.max(...rows.map(([left]) => left.length)));
  const indent = ' '.repeat(width + 4);
  return rows
    .map(([left, right]) => {
      const text = wrapped(right, indent, style.width);
      return left.length > width
        ? `  ${style.cyan(left)}\n${indent}${text}`
        : `  ${style.cyan(left.padEnd(width))}  ${text}`;
    })
    .join('\n');
}

/** A text broken between words, with lines no longer than the width, all but the first of them indented. */
function wrapped(text: string, indent: string, width: number): string {
  const room = width - indent.length - 1;
  if (text.includes('\n') || room < NARROWEST_RIGHT || text.length <= room) return text;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${indent}`);
}

function sections(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
