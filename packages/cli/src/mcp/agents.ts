import { homedir } from 'node:os';
import { join } from 'node:path';

import { isObject } from './json-rpc.js';

/** The command that an agent runs. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An agent whose configuration can name the server. */
export interface Agent {
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The keys that lead to the list of servers in its file. */
  readonly section: readonly string[];
  /** The file of a user. */
  userFile(env: NodeJS.ProcessEnv): string;
  /** The file of a project, relative to its folder. */
  readonly projectFile: string;
  /** The entry of the server. */
  entry(command: AgentCommand): Readonly<Record<string, unknown>>;
}

/** The key of the entry in every file. */
export const serverName = 'trove';

function stdioEntry({ command, args, env }: AgentCommand): Record<string, unknown> {
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

/** Returns the folder of settings of an application: `~/.config`, or its equivalent on macOS and Windows. */
function settingsFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return env['APPDATA'] ?? join(home(env), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(home(env), 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? join(home(env), '.config');
}

function home(env: NodeJS.ProcessEnv): string {
  return env['HOME'] ?? homedir();
}

/** The agents by the names that `trove mcp install` takes. */
export const agents = {
  claude: {
    title: 'Claude Code',
    format: 'json',
    section: ['mcpServers'],
    userFile: (env) => join(home(env), '.claude.json'),
    projectFile: '.mcp.json',
    entry: (command) => ({ type: 'stdio', ...stdioEntry(command) }),
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    section: ['mcpServers'],
    userFile: (env) => join(home(env), '.cursor', 'mcp.json'),
    projectFile: join('.cursor', 'mcp.json'),
    entry: stdioEntry,
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    section: ['servers'],
    userFile: (env) => join(settingsFolder(env), 'Code', 'User', 'mcp.json'),
    projectFile: join('.vscode', 'mcp.json'),
    entry: (command) => ({ type: 'stdio', ...stdioEntry(command) }),
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    section: ['mcp_servers'],
    userFile: (env) => join(env['CODEX_HOME'] ?? join(home(env), '.codex'), 'config.toml'),
    projectFile: join('.codex', 'config.toml'),
    entry: stdioEntry,
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    section: ['mcpServers'],
    userFile: (env) => join(home(env), '.codeium', 'windsurf', 'mcp_config.json'),
    projectFile: join('.windsurf', 'mcp_config.json'),
    entry: stdioEntry,
  },
  opencode: {
    title: 'OpenCode',
    format: 'json',
    section: ['mcp'],
    userFile: (env) =>
      join(env['XDG_CONFIG_HOME'] ?? join(home(env), '.config'), 'opencode', 'opencode.json'),
    projectFile: 'opencode.json',
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length === 0 ? {} : { environment: env }),
      enabled: true,
    }),
  },
} as const satisfies Record<string, Agent>;

export type AgentName = keyof typeof agents;

export function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(agents, name);
}

/** Returns the member of a parsed file that the keys lead to. */
export function memberOf(file: unknown, keys: readonly string[]): unknown {
  let value = file;
  for (const key of keys) value = isObject(value) ? value[key] : undefined;
  return value;
}
