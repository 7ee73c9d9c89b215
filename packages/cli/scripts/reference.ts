import { renderMan, renderReference } from '@trove/commands/pages';

import { program } from '../src/program.js';

export const referencePath = new URL('../../../docs/reference/cli.md', import.meta.url);

export const manPath = new URL('../man/trove.1', import.meta.url);

const chapters = [
  `## Which server, which token

The endpoint is the first of these that is given: \`--endpoint\`, \`TROVE_ENDPOINT\`, the endpoint of the profile,
\`http://127.0.0.1:13619\`.

The bearer token is the first of these that is given:

1. \`TROVE_API_TOKEN\`
2. the token of the profile: a literal, or \`env:VAR\` (an empty variable means that no token is sent)
3. \`$TROVE_HOME/server.token\`, which is sent to a server on this machine only

\`TROVE_HOME\` is \`~/.trove\` unless set. Profiles are in \`$TROVE_HOME/client.toml\`:

\`\`\`toml
# client.toml
active = "work"

[profiles.work]
endpoint = "https://trove.example.com"
token = "env:WORK_TROVE_TOKEN"
\`\`\`
`,
  `## Paths

Relative paths and \`~\` are made absolute before they are sent; URIs such as \`file://local/data\` are sent as they are. Files
of a server on this machine are shown as paths, relative below the working directory; those of any other, as URIs.
`,
  `## Output and exit codes

Results go to stdout, everything else to stderr. \`--json\` prints the API's answer, of \`search\` and \`grep\` one hit per line, and its errors as
\`{"code", "detail", "suggestions"}\` on stderr. Without it, errors name what you typed: options, commands
and paths. Colours are for terminals only, and never with \`NO_COLOR\`. On a terminal,
control characters in what was read are shown as symbols; in a pipe everything comes through unchanged.

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | failed: an error of the API, a job in which something failed, a \`grep\` without a match |
| 2 | the command line was not understood; an error of \`grep\` |
| 130 | Ctrl-C, twice, while waiting for a job |
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
        ['TROVE_ENDPOINT', 'The server to talk to, unless `--endpoint` says another'],
        ['TROVE_API_TOKEN', 'The bearer token, before that of a profile'],
        ['VISUAL, EDITOR', 'The editor of `trove open`'],
        ['NO_COLOR', 'If set, nothing is coloured'],
        ['FORCE_HYPERLINK', '1: paths are links on any terminal; 0: on none'],
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
        ['1', 'Failed; of `trove grep`: nothing matched'],
        ['2', 'The command line was not understood; an error of `trove grep`'],
        ['130', 'Ctrl-C, twice, while waiting for a job'],
      ],
    },
  ]);
}
