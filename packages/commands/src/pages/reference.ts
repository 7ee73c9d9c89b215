import { optionRows, positionalRows, type HelpRows, usageOf } from '../help.js';
import type { Program } from '../program.js';
import { listCommands, type NamedCommand } from './command-list.js';

/** Renders the reference page of all commands as Markdown. `madeBy` is the command that writes the page. */
export async function renderReference(
  { root, globals }: Pick<Program, 'root' | 'globals'>,
  madeBy: string,
  chapters: readonly string[],
): Promise<string> {
  const commands = await listCommands(root);
  const names = commands.map(({ path, command }) => [path.join(' '), command.description] as const);
  return [
    `# The \`${root.name}\` command\n`,
    `<!-- Generated from the definitions of the commands by "${madeBy}". Do not edit. -->\n`,
    ...chapters,
    `## Global options\n\n${table(optionRows(globals))}`,
    `## Commands\n\n${table(names)}`,
    ...commands.map(section),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

function section({ path, command }: NamedCommand): string {
  const title = `## ${path.join(' ')}\n\n${command.description}.`;
  if (command.aliasOf !== undefined) return `${title} The same as \`${command.aliasOf}\`.\n`;
  const rows = [...positionalRows(command.args), ...optionRows(command.args)];
  const examples = command.examples.map(({ command: line, does }) => `# ${does}\n${line}`);
  return [
    `${title}\n`,
    `\`\`\`text\n${usageOf(path, command.args)}\n\`\`\`\n`,
    rows.length === 0 ? '' : table(rows),
    ...command.notes.map((note) => `${note}\n`),
    `\`\`\`sh\n${examples.join('\n\n')}\n\`\`\`\n`,
  ].join('\n');
}

function table(rows: HelpRows): string {
  const lines = rows.map(([left, right]) => `| \`${cell(left)}\` | ${cell(right)} |`);
  return `| | |\n| --- | --- |\n${lines.join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
