import type { JsonSchema } from '@trove/core';
import { settingKeys, settingsSchema, type SettingKey } from 'trove';
import { generated } from './generated.js';
import { code, page, table } from './markdown.js';

const kinds = Object.keys(settingsSchema.properties.plugin_config.properties).map(code).join(', ');

export function configurationPage(): string {
  const sections = Object.entries<JsonSchema>(settingsSchema.properties).filter(
    ([name, { type }]) => type === 'object' && name !== 'plugins' && name !== 'plugin_config',
  );
  return page(
    generated,
    '# Configuration',
    'A server reads the first of these files that exists; if there is none, the defaults below apply:',
    [
      '1. the file that the option `--config` names',
      '2. the file that the environment variable `TROVE_SERVER_CONFIG` names',
      '3. `./server.toml`',
      '4. `$TROVE_HOME/server.toml`',
      '5. `~/.trove/server.toml`',
      '6. `/etc/trove/server.toml`',
    ].join('\n'),
    'The first line that `trove-server` prints names the file. A `./server.toml` that nobody named may have come with ' +
      'the folder: `[plugins]` and `auth_token = "-"` are refused from it. `trove serve start` runs the server in the ' +
      'home, so the current folder does not matter.',
    'The environment takes precedence over the file: `TROVE_<SECTION>_<KEY>` for every setting, lists with commas between their ' +
      'items, booleans as `true`, `false`, `1` or `0`. An empty variable counts as not set. Command-line options take ' +
      'precedence over both. Unknown sections and keys are errors that name the nearest known one.',
    '`trove-server reload` checks the configuration and prints the resulting settings, with the place that each value ' +
      'comes from. A running server picks up changes when it is restarted.',
    'In code, `createTrove({ settings })` takes the same settings as an object.',
    '## Environment only',
    table(
      ['Variable', 'What'],
      [
        [
          '`TROVE_HOME`',
          'The folder for everything that is stored; `~/.trove` unless set. Only its owner can read it.',
        ],
        ['`TROVE_SERVER_CONFIG`', 'Path of `server.toml`.'],
        ['`TROVE_API_TOKEN`', 'The bearer token; takes precedence over `auth_token`.'],
      ],
    ),
    '## Top level',
    rows(null),
    ...sections.flatMap(([name, { description }]) => [
      `## \`[${name}]\``,
      description ?? '',
      rows(name),
    ]),
    '## `[plugins]`',
    `${settingsSchema.properties.plugins.description} The variable is \`TROVE_PLUGINS_<KEY>\`.`,
    '```toml\n[plugins]\nhello = "trove-connector-hello"\n```',
    'Packages are looked up from the folder of `server.toml`, then from the home (`npm install --prefix ~/.trove ' +
      'PACKAGE`), then from the installation of the server; never from the folder in which it happens to run.',
    'A warning names each package that replaces a built-in plugin, at the start and in `trove-server reload`.',
    '## `[plugin_config]`',
    `${settingsSchema.properties.plugin_config.description} The kinds: ${kinds}.`,
    '```toml\n[plugin_config.connector.file]\nignore = ["*.min.js"]\n```',
    "The plugin's own schema checks them when it is used, and `trove-server reload` does so at once and shows them with " +
      'secrets hidden. What `[embedding]`, `[index]` or the configuration of a source says of the same key takes precedence. ' +
      'Secrets are best given as references: `env:NAME`, or `file:/path` of a regular file of at most 64 KiB.',
    'Secrets set for a connector serve all its sources, but go only where this file says: a source whose own configuration ' +
      'changes another of these settings, or holds a URL or a host, must bring its own secret, else it is refused ' +
      '(`config_invalid`). The address in the target itself is not looked at, so set no secret for a connector whose targets name hosts.',
    'The variable is `TROVE_PLUGIN_CONFIG_<KIND>_<KEY>_<SETTING>`, such as `TROVE_PLUGIN_CONFIG_CONNECTOR_FILE_IGNORE`, for ' +
      'names of lower-case letters, digits and, in the setting, underscores. Numbers, booleans, lists and texts in double quotes ' +
      'are read as JSON, anything else is a text.',
  );
}

function rows(section: string | null): string {
  return table(
    ['Key', 'Type', 'Default', 'What', 'Variable'],
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
  if (schema.type === 'array') return 'list of texts';
  if (schema.type === 'string') return 'text';
  const { minimum: from, maximum: to } = schema;
  const bounds =
    to === undefined ? (from === undefined ? '' : ` from ${from}`) : ` ${from ?? ''} to ${to}`;
  return `${String(schema.type)}${bounds}`;
}
