import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of one profile, by their names. */
export type Profile = ReadonlyMap<string, string>;

const largestFile = 1024 * 1024;

/** A profile of the files that the AWS tools share, empty where there is none. */
export async function profileOf(name: string, env: Environment): Promise<Profile> {
  const folder = join(env['HOME'] ?? homedir(), '.aws');
  const [config, credentials] = await Promise.all([
    textOf(env['AWS_CONFIG_FILE'] ?? join(folder, 'config')),
    textOf(env['AWS_SHARED_CREDENTIALS_FILE'] ?? join(folder, 'credentials')),
  ]);
  const heads = name === 'default' ? ['default', 'profile default'] : [`profile ${name}`];
  return new Map([...settingsIn(config, heads), ...settingsIn(credentials, [name])]);
}

async function textOf(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(largestFile), 0, largestFile, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}

/** What follows a head such as `[default]`; nested settings, which are indented, are no concern of ours. */
function settingsIn(text: string, heads: readonly string[]): Map<string, string> {
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
