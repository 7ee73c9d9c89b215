import type { Command, Group } from './command.js';
import { globalArgs } from './globals.js';
import { optionRows, positionalRows, usage } from './help.js';

const HEAD = `# The \`trove\` command

<!-- Generated from the definitions of the commands by "npm run docs -w @trove/cli". Do not edit. -->
`;

/** The reference page of all commands, as Markdown. */
export function renderReference(root: Group, chapters: readonly string[]): string {
  const commands = commandsBelow(root);
  return [
    HEAD,
    ...chapters,
    `## Global options\n\n${table(optionRows(globalArgs, () => true))}`,
    `## Commands\n\n${table(commands.map(({ path, command }) => [path.join(' '), command.description]))}`,
    ...commands.map(({ path, command }) => section(path, command)),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** Every command of a group and of those in it, with the words that name it. */
export function commandsBelow(
  group: Group,
  path: readonly string[] = [group.name],
): { path: readonly string[]; command: Command }[] {
  return group.commands.flatMap((item) =>
    item.kind === 'group'
      ? commandsBelow(item, [...path, item.name])
      : [{ path: [...path, item.name], command: item }],
  );
}

function section(path: readonly string[], command: Command): string {
  if (command.sameAs !== undefined) {
    return `## ${path.join(' ')}\n\n${command.description}. The same as \`${command.sameAs}\`.\n`;
  }
  const rows = [
    ...positionalRows(command.args),
    ...optionRows(command.args, (name) => !(name in globalArgs)),
  ];
  const examples = command.examples.map(({ command: line, does }) => `# ${does}\n${line}`);
  return [
    `## ${path.join(' ')}\n\n${command.description}.\n`,
    `\`\`\`text\n${usage(path, command.args)}\n\`\`\`\n`,
    rows.length === 0 ? '' : table(rows),
    ...command.notes.map((note) => `${note}\n`),
    `\`\`\`sh\n${examples.join('\n\n')}\n\`\`\`\n`,
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([left, right]) => `| \`${cell(left)}\` | ${cell(right)} |`);
  return `| | |\n| --- | --- |\n${lines.join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
