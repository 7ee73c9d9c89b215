import { renderMan, renderReference } from '@trove/commands/pages';

import { program } from '../src/program.js';

export const referencePath = new URL('../../../docs/reference/cli.md', import.meta.url);

export const manPath = new URL('../man/trove.1', import.meta.url);

const chapters = [
  `## Endpoint and token

The endpoint is the first that is set: \`--endpoint\`, \`TROVE_ENDPOINT\`, the endpoint of the profile,
\`http://127.0.0.1:13619\`.

The bearer token is the first that is set:

1. \`TROVE_API_TOKEN\`
2. The token of the profile, if the endpoint is that of the profile: a literal, or \`env:VAR\`. If the variable is empty, no token is sent.
3. \`$TROVE_HOME/server.token\`, only for a server on this machine

\`TROVE_HOME\` is \`~/.trove\` by default. Profiles are in \`$TROVE_HOME/client.toml\`:

\`\`\`toml
# client.toml
active = "work"

[profiles.work]
endpoint = "https://trove.example.com"
token = "env:WORK_TROVE_TOKEN"
\`\`\`
`,
  `## Paths

Relative paths and \`~\` become absolute before they are sent. URIs such as \`file://local/data\` stay unchanged. Files of a
server on this machine appear as paths, relative below the working directory. Files of other servers appear as URIs.
`,
  `## Output and exit codes

Results go to stdout, everything else to stderr. \`--json\` prints the API's answer, and for \`search\` and \`grep\` one hit per line.
Errors are then printed as \`{"code", "detail", "suggestions"}\` on stderr. Without \`--json\`, errors name options, commands and
paths. Colours appear only on terminals, and never with \`NO_COLOR\`. On a terminal, control characters are shown as symbols. In a
pipe all text is unchanged.

| code | meaning |
| --- | --- |
| 0 | Success |
| 1 | Failure: an API error, a job with failures, or a \`grep\` without a match |
| 2 | Invalid command line, or any error of \`grep\` |
| 130 | Second Ctrl-C while waiting for a job |
`,
];

/** Returns the text of the reference page. */
export function referenceText(): Promise<string> {
  return renderReference(program, 'npm run docs -w @trove/cli', chapters);
}

/** Returns the text of the manual page. */
export function manText(): Promise<string> {
  return renderMan(program, [
    {
      title: 'ENVIRONMENT',
      rows: [
        ['TROVE_HOME', 'The folder of settings, token and server data (default ~/.trove)'],
        ['TROVE_ENDPOINT', 'The server, unless `--endpoint` is given'],
        ['TROVE_API_TOKEN', 'The bearer token. It takes precedence over the profile'],
        ['VISUAL, EDITOR', 'The editor of `trove open`'],
        ['NO_COLOR', 'Disables colours'],
        ['FORCE_HYPERLINK', '1: show links on any terminal; 0: on none'],
      ],
    },
    {
      title: 'FILES',
      rows: [
        ['$TROVE_HOME/client.toml', 'Profiles: servers and their tokens'],
        ['$TROVE_HOME/server.token', 'The token of the server on this machine'],
        ['$TROVE_HOME/server.toml', 'The configuration of the server on this machine'],
        ['$TROVE_HOME/serve', 'The process id and the log of `trove serve start`'],
      ],
    },
    {
      title: 'EXIT STATUS',
      rows: [
        ['0', 'Done'],
        ['1', 'Failure; for `trove grep`: no match'],
        ['2', 'Invalid command line; for `trove grep`: any error'],
        ['130', 'Second Ctrl-C while waiting for a job'],
      ],
    },
  ]);
}
