import { type Command, type Group, loadCommand } from '../command.js';

/** A command and its path of names. */
export interface NamedCommand {
  readonly path: readonly string[];
  readonly command: Command;
}

/** Returns all commands of a group, including nested ones. */
export async function listCommands(
  group: Group,
  path: readonly string[] = [group.name],
): Promise<NamedCommand[]> {
  const listed: NamedCommand[] = [];
  for (const item of group.commands) {
    const node = await loadCommand(item);
    const inner = [...path, item.name];
    if (node.kind === 'group') listed.push(...(await listCommands(node, inner)));
    else listed.push({ path: inner, command: node });
  }
  return listed;
}
