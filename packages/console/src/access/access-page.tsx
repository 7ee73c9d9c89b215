import type { JSX } from 'preact';
import { base } from '../address.js';
import { CopiedCommand } from '../parts/copied-command.js';
import { agentSetups, type AgentSetup } from './agents.js';
import { Tokens } from './tokens.js';

/** Who has access to this server, and how agents and programs connect to it. */
export function AccessPage(): JSX.Element {
  return (
    <div class="page">
      <h1>Access</h1>
      <h2>Tokens</h2>
      <Tokens />
      <h2>Agents</h2>
      <p>
        Agents search and read the sources that their token sees, with the Model Context Protocol.
        They need the token in the environment variable <code>TROVE_API_TOKEN</code>, unless they
        run on the machine of the server.
      </p>
      <ul class="cards">
        {agentSetups(`${base}/mcp`).map((setup) => (
          <AgentCard key={setup.name} setup={setup} />
        ))}
      </ul>
      <h2>Programs</h2>
      <CopiedCommand
        label="Command line on another machine"
        text={`trove status --endpoint ${base}`}
      />
      <CopiedCommand
        label="HTTP"
        text={`curl -H "Authorization: Bearer $TROVE_API_TOKEN" ${base}/v1/status`}
      />
      <p>
        <a href={`${base}/docs`}>All operations of the API</a>
      </p>
    </div>
  );
}

function AgentCard({
  setup: { name, install, steps },
}: {
  readonly setup: AgentSetup;
}): JSX.Element {
  const local =
    install === null
      ? []
      : [{ label: 'On the machine of the server', text: `trove mcp install ${install}` }];
  return (
    <li class="card">
      <h3>{name}</h3>
      {[...local, ...steps].map(({ label, text }) => (
        <CopiedCommand key={label} label={label} text={text} />
      ))}
    </li>
  );
}
