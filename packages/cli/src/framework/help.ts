import { type Style, plainStyle } from '../terminal/style.js';
import type { Command, Group } from './command.js';
import type { ArgumentDefs, Option } from './definitions.js';
import { globalArgs } from './globals.js';

/** The help of a command or a group, ending in a line break. */
export function renderHelp(
  path: readonly string[],
  node: Command | Group,
  style: Style = plainStyle,
): string {
  return node.kind === 'group' ? groupHelp(path, node, style) : commandHelp(path, node, style);
}

function groupHelp(path: readonly string[], group: Group, style: Style): string {
  const rows = group.commands.map(({ name, description }) => [name, description] as const);
  return sections([
    `${group.description}.`,
    `${style.bold('Usage')}\n  ${path.join(' ')} COMMAND`,
    `${style.bold('Commands')}\n${columns(rows, style)}`,
    ...group.notes,
    `\`${path.join(' ')} COMMAND --help\` says more about each.`,
  ]);
}

function commandHelp(path: readonly string[], item: Command, style: Style): string {
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
    ...item.notes,
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

function columns(rows: readonly (readonly [string, string])[], style: Style): string {
  const width = Math.min(44, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length > width
        ? `  ${style.cyan(left)}\n  ${' '.repeat(width)}  ${right}`
        : `  ${style.cyan(left.padEnd(width))}  ${right}`,
    )
    .join('\n');
}

function sections(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
