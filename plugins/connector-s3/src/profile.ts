import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** The settings of one profile, by name. */
export type AwsProfile = ReadonlyMap<string, string>;

const maxFileBytes = 1024 * 1024;

/** Loads a profile from the files of the AWS tools. Returns an empty one if it does not exist. */
export async function loadProfile(name: string, env: AwsEnvironment): Promise<AwsProfile> {
  const folder = join(env['HOME'] ?? homedir(), '.aws');
  const [config, credentials] = await Promise.all([
    readText(env['AWS_CONFIG_FILE'] ?? join(folder, 'config')),
    readText(env['AWS_SHARED_CREDENTIALS_FILE'] ?? join(folder, 'credentials')),
  ]);
  const heads = name === 'default' ? ['default', 'profile default'] : [`profile ${name}`];
  return new Map([...parseSettings(config, heads), ...parseSettings(credentials, [name])]);
}

async function readText(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxFileBytes), 0, maxFileBytes, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}

/** Parses the settings below a head such as `[default]`. Ignores nested settings, which are indented. */
function parseSettings(text: string, heads: readonly string[]): Map<string, string> {
  const settings = new Map<string, string>();
  let isInProfile = false;
  for (const line of text.split(/\r?\n/)) {
    const [, head] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (head !== undefined) isInProfile = heads.includes(head.trim().replace(/\s+/g, ' '));
    const [, key, value = ''] = /^([A-Za-z0-9_]+)\s*=(.*)$/.exec(line) ?? [];
    if (isInProfile && key !== undefined) settings.set(key.toLowerCase(), value.trim());
  }
  return settings;
}
