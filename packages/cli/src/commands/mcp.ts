import { copyFileSync, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { Exit, group, UsageError } from '@trove/commands';

import { agentCommand } from '../mcp/agent-command.js';
import { withServer } from '../mcp/agent-file.js';
import { agents, isAgentName, type AgentName } from '../mcp/agents.js';
import { checkAgentCommand } from '../mcp/doctor.js';
import { runProxy } from '../mcp/proxy.js';
import { withLock } from '../serve/lock.js';
import { prepareFolder, readRecord } from '../serve/record.js';
import { stopServer } from '../serve/stop.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { replaceFile } from '../session/file-replacement.js';
import { readFileIfAny } from '../session/system-errors.js';
import { chooseToken } from '../session/token.js';
import { reportChecks } from './doctor.js';
import { startIfNeeded } from './serve-actions.js';

/** The arguments of a start with default options. */
const noArguments = { text: () => undefined };
const names = Object.keys(agents).join(', ');

const serve = command({
  name: 'serve',
  description: 'Serve an agent on standard input and output',
  args: {},
  notes: [
    'Agents run this command. It passes each message to the server, and starts a server on this machine if none runs.',
  ],
  examples: [{ command: 'trove mcp serve', does: 'the same as `trove mcp`' }],
  async run(_args, cli) {
    await runProxy({
      input: process.stdin,
      write: (line) => cli.out.line(line),
      endpoint: cli.endpoint,
      token: () => currentToken(cli),
      start: () => startLocalServer(cli),
    });
  },
});

/** Returns the token of the command line, or of a server that has started since. */
function currentToken({ token, profile, env, home, local }: Cli): string | undefined {
  if (token !== undefined || profile !== undefined) return token?.value;
  return chooseToken({ env, profile: undefined, home, loopback: local })?.value;
}

/** Starts a server, and reports it on standard error. Returns false for an endpoint on another machine. */
async function startLocalServer(cli: Cli): Promise<boolean> {
  if (!cli.local) return false;
  prepareFolder(cli.home);
  const withoutOutput = { ...cli, out: cli.err, json: false };
  await withLock(cli.home, () => startIfNeeded(noArguments, withoutOutput));
  return true;
}

const install = command({
  name: 'install',
  description: 'Add Trove to the configuration of an agent',
  args: {
    agent: { type: 'positional', description: names },
    project: {
      type: 'boolean',
      description: 'Write the file of the current folder instead of the file of the user',
    },
    print: { type: 'boolean', description: 'Print the file instead of writing it' },
  },
  notes: [
    'Keeps all other entries. The earlier file is kept as `FILE.bak`. Restart the agent afterwards.',
    'The entry contains no token. The command reads it when the agent runs it.',
  ],
  examples: [
    { command: 'trove mcp install cursor', does: 'add Trove to Cursor' },
    { command: 'trove mcp install claude --project', does: 'write `.mcp.json` in this folder' },
    { command: 'trove mcp install codex --print', does: 'show the resulting file' },
  ],
  async run(args, cli) {
    const agent = agents[agentName(args.required('agent'))];
    const named = args.flag('project') ? join(cli.cwd, agent.projectFile) : agent.userFile(cli.env);
    // Dotfile managers link this file, so its target is written.
    const path = existsSync(named) ? realpathSync(named) : named;
    const before = readFileIfAny(path) ?? '';
    const after = withServer(path, before, agent, agentCommand(cli));
    if (args.flag('print')) return cli.out.write(after);
    if (after !== before) {
      if (existsSync(path)) copyFileSync(path, `${path}.bak`);
      replaceFile(path, after);
    }
    if (cli.json) return cli.printJson({ agent: agent.title, path, changed: after !== before });
    await cli.out.line(after === before ? `${path} already has Trove` : `Added Trove to ${path}`);
    await cli.err.line(`Restart ${agent.title}. Test the command: trove mcp doctor`);
  },
});

function agentName(name: string): AgentName {
  if (isAgentName(name)) return name;
  throw new UsageError(`"${name}" is not a known agent`, [
    `Use one of ${names}.`,
    'For another agent, configure the command `trove mcp`.',
  ]);
}

const doctor = command({
  name: 'doctor',
  description: 'Run `trove mcp` as an agent does, and test its answers',
  args: {},
  notes: [
    'Exits with 1 if a check fails. Starts a server on this machine if none runs, as `trove mcp` does, and stops it afterwards.',
  ],
  examples: [{ command: 'trove mcp doctor', does: 'prove that agents can use the server' }],
  async run(_args, cli) {
    const before = readRecord(cli.home);
    try {
      const isSound = await reportChecks(cli, checkAgentCommand(agentCommand(cli), cli.env));
      if (!isSound) throw new Exit(1);
    } finally {
      if (before === undefined) await stopStartedServer(cli);
    }
  },
});

/** Stops the server that the checks started, if they did. */
async function stopStartedServer({ home, err }: Cli): Promise<void> {
  const started = readRecord(home);
  if (started === undefined) return;
  await withLock(home, () => stopServer(home, started));
  await err.line('Stopped the server that the check had started.');
}

export const mcp = group(
  'mcp',
  'Serve agents over the Model Context Protocol',
  [serve, install, doctor],
  ['The tools read only, unless `[mcp].write` of the server allows syncs.'],
  'serve',
);
