import { renderMan, renderReference } from '@trove/commands/pages';
import { program } from '../../src/commands/program.js';

const chapters = [
  `## Configuration

Commands read [\`server.toml\`](configuration.md) from the first place that has one; \`--config\` names another. The first line that \`run\`, \`api\`, \`worker\`
and \`compact\` print says which file is in use. Every setting has an environment variable.
`,
  `## Output and exit codes

Results go to stdout, logs and errors to stderr. An error is one line, and what can be done follows on indented lines.

| code | meaning |
| --- | --- |
| 0 | done, or stopped by a signal |
| 1 | failed: the server could not start, a source was refused, a wizard was left |
| 2 | the command line was not understood, or the configuration is wrong |
`,
];

/** The reference page of `trove-server`. */
export function commandPage(): Promise<string> {
  return renderReference(program, 'npm run docs -w @trove/server', chapters);
}

/** The manual page of `trove-server`. */
export function manualPage(): Promise<string> {
  return renderMan(program, [
    {
      title: 'ENVIRONMENT',
      rows: [
        ['TROVE_HOME', 'The folder for everything that is stored (default ~/.trove)'],
        ['TROVE_SERVER_CONFIG', 'Path of server.toml, unless `--config` says another'],
        ['TROVE_API_TOKEN', 'The bearer token; takes precedence over `auth_token`'],
        ['TROVE_SECTION_KEY', 'Any setting of server.toml, before the file'],
        ['NO_COLOR', 'If set, help is not coloured'],
      ],
    },
    {
      title: 'FILES',
      rows: [
        ['./server.toml', 'The configuration, if the working directory has one'],
        ['$TROVE_HOME/server.toml', 'The configuration otherwise'],
        ['/etc/trove/server.toml', 'The configuration if the home has none'],
        ['$TROVE_HOME/server.token', 'The token that callers send, made by the first start'],
      ],
    },
    {
      title: 'EXIT STATUS',
      rows: [
        ['0', 'Done, or stopped by a signal'],
        ['1', 'Failed'],
        ['2', 'The command line was not understood, or the configuration is wrong'],
      ],
    },
  ]);
}
