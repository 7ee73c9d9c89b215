/** The set-up of an agent. */
export interface AgentSetup {
  readonly name: string;
  /** The name for `trove mcp install`, or null if the command does not know the agent. */
  readonly install: string | null;
  readonly steps: readonly { readonly label: string; readonly text: string }[];
}

const authorization = 'Bearer ${TROVE_API_TOKEN}';

/** Returns the set-ups of agents for the server at `url`, such as `http://127.0.0.1:13619/mcp`. */
export function agentSetups(url: string): AgentSetup[] {
  return [
    {
      name: 'Claude Code',
      install: 'claude',
      steps: [
        {
          label: 'On another machine',
          text: `claude mcp add --transport http trove ${url} --header "Authorization: Bearer $TROVE_API_TOKEN"`,
        },
      ],
    },
    {
      name: 'Cursor',
      install: 'cursor',
      steps: [
        {
          label: 'On another machine, in ~/.cursor/mcp.json',
          text: json({
            mcpServers: {
              trove: { url, headers: { Authorization: 'Bearer ${env:TROVE_API_TOKEN}' } },
            },
          }),
        },
      ],
    },
    {
      name: 'VS Code',
      install: 'vscode',
      steps: [
        {
          label: 'On another machine, in .vscode/mcp.json',
          text: json({
            inputs: [
              { type: 'promptString', id: 'trove-token', description: 'Token', password: true },
            ],
            servers: {
              trove: {
                type: 'http',
                url,
                headers: { Authorization: 'Bearer ${input:trove-token}' },
              },
            },
          }),
        },
      ],
    },
    {
      name: 'Codex',
      install: 'codex',
      steps: [
        {
          label: 'On another machine, in ~/.codex/config.toml',
          text: `[mcp_servers.trove]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "TROVE_API_TOKEN"`,
        },
      ],
    },
    {
      name: 'Any other agent',
      install: null,
      steps: [
        { label: 'As a command, over standard input and output', text: 'trove mcp' },
        {
          label: 'HTTP',
          text: json({
            mcpServers: { trove: { type: 'http', url, headers: { Authorization: authorization } } },
          }),
        },
      ],
    },
  ];
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
