import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** The settings of one profile, by their names. */
export type AwsProfile = ReadonlyMap<string, string>;

const maxFileBytes = 1024 * 1024;

/** A profile of the files that the AWS tools share, empty where there is none. */
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

/** What follows a head such as `[default]`; nested settings, which are indented, are no concern of ours. */
function parseSettings(text: string, heads: readonly string[]): Map<string, string> {
  const settings = new Map<string, string>();
  let isOurs = false;
  for (const line of text.split(/\r?\n/)) {
    const [, head] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (head !== undefined) isOurs = heads.includes(head.trim().replace(/\s+/g, ' '));
    const [, key, value = ''] = /^([A-Za-z0-9_]+)\s*=(.*)$/.exec(line) ?? [];
    if (isOurs && key !== undefined) settings.set(key.toLowerCase(), value.trim());
  }
  return settings;
}
