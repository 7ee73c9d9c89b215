import type { JsonSchema } from '@trove/core';
import { settingKeys, settingsSchema, type SettingKey } from 'trove';
import { generated } from './generated.js';
import { code, page, table } from './markdown.js';

const userSettings =
  settingsSchema.properties.access.properties.users.additionalProperties.properties;
const kinds = Object.keys(settingsSchema.properties.plugin_config.properties).map(code).join(', ');

export function configurationPage(): string {
  const sections = Object.entries<JsonSchema>(settingsSchema.properties).filter(
    ([name, { type }]) => type === 'object' && name !== 'plugins' && name !== 'plugin_config',
  );
  return page(
    generated,
    '# Configuration',
    'A server reads the first of these files that exists. If none exists, the defaults below apply.',
    [
      '1. the file that the option `--config` names',
      '2. the file that the environment variable `TROVE_SERVER_CONFIG` names',
      '3. `./server.toml`',
      '4. `$TROVE_HOME/server.toml`',
      '5. `~/.trove/server.toml`',
      '6. `/etc/trove/server.toml`',
    ].join('\n'),
    '`trove-server` prints the path of the file in its first line. A `./server.toml` that was not named may have come with ' +
      'the folder, so it must not set `[plugins]` or `auth_token = "-"`. `trove serve start` runs the server in the home, ' +
      'so it ignores the current folder.',
    'Environment variables take precedence over the file. Every setting has one, `TROVE_<SECTION>_<KEY>`. Lists are separated by ' +
      'commas, and booleans are `true`, `false`, `1` or `0`. An empty variable counts as unset. Command-line options take ' +
      'precedence over both. Unknown sections and keys are errors that name the nearest known one.',
    '`trove-server reload` checks the configuration and prints each setting with its origin. Restart a running server to ' +
      'apply changes.',
    'In code, pass the same settings as an object to `createTrove({ settings })`.',
    '## Environment only',
    table(
      ['Variable', 'Meaning'],
      [
        [
          '`TROVE_HOME`',
          'The home, the folder of all stored data. Default: `~/.trove`. Only its owner can read it.',
        ],
        ['`TROVE_SERVER_CONFIG`', 'Path of `server.toml`.'],
        ['`TROVE_API_TOKEN`', 'The bearer token. Takes precedence over `auth_token`.'],
      ],
    ),
    '## Top level',
    rows(null),
    ...sections.flatMap(([name, { description }]) => [
      `## \`[${name}]\``,
      description ?? '',
      rows(name),
    ]),
    '## `[access.users.NAME]`',
    `${settingsSchema.properties.access.properties.users.description} These settings have no variables. [Let the proxy ` +
      'authenticate users](../how-to/put-a-proxy-in-front.md#let-the-proxy-authenticate-users) has an example.',
    table(
      ['Key', 'Meaning'],
      Object.entries(userSettings).map(([key, { description }]) => [code(key), description]),
    ),
    '## `[plugins]`',
    `${settingsSchema.properties.plugins.description} The variable is \`TROVE_PLUGINS_<KEY>\`.`,
    '```toml\n[plugins]\nhello = "trove-connector-hello"\n```',
    'Packages are resolved from the folder of `server.toml`, then from the home (`npm install --prefix ~/.trove ' +
      'PACKAGE`), then from the installation of the server. The working directory is never used.',
    'The server and `trove-server reload` warn about each package that replaces a built-in plugin.',
    '## `[plugin_config]`',
    `${settingsSchema.properties.plugin_config.description} The kinds: ${kinds}.`,
    '```toml\n[plugin_config.connector.file]\nignore = ["*.min.js"]\n```',
    "The plugin's own schema validates them on use. `trove-server reload` validates them immediately and prints them with " +
      'hidden secrets. `[embedding]`, `[index]` and the configuration of a source take precedence. Use references for ' +
      'secrets: `env:NAME`, or `file:/path` of a regular file of at most 64 KiB.',
    'Secrets of a connector apply to all its sources, but are never sent to an address that a source chooses. A source whose own ' +
      'configuration changes another of these settings, or contains a URL or a host, must set its own secret. Otherwise it is ' +
      'refused with `config_invalid`. The address in the target is not checked, so set no secret for a connector whose targets name hosts.',
    'The variable is `TROVE_PLUGIN_CONFIG_<KIND>_<KEY>_<SETTING>`, such as `TROVE_PLUGIN_CONFIG_CONNECTOR_FILE_IGNORE`. Names ' +
      'must consist of lower-case letters, digits and, in the setting, underscores. Numbers, booleans, lists and strings in ' +
      'double quotes are parsed as JSON. Other values are strings.',
  );
}

function rows(section: string | null): string {
  return table(
    ['Key', 'Type', 'Default', 'Meaning', 'Variable'],
    settingKeys.filter((setting) => setting.section === section).map(row),
  );
}

function row({ section, key, schema }: SettingKey): string[] {
  const variable = ['TROVE', section ?? [], key].flat().join('_').toUpperCase();
  const secret = schema.writeOnly === true ? ' Never shown.' : '';
  return [
    code(key),
    typeOf(schema),
    schema.default === undefined ? '–' : code(schema.default === '' ? '""' : schema.default),
    `${schema.description ?? ''}${secret}`,
    code(variable),
  ];
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.type === 'array') return 'list of strings';
  if (schema.type === 'string') return 'string';
  const { minimum: from, maximum: to } = schema;
  const bounds =
    to === undefined ? (from === undefined ? '' : ` from ${from}`) : ` ${from ?? ''} to ${to}`;
  return `${String(schema.type)}${bounds}`;
}
