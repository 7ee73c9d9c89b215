import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A key of a server in a file of known hosts. */
export interface KnownKey {
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  readonly key: Buffer;
  readonly isRevoked: boolean;
}

/** Loads the keys of a server from the files of the SSH tools. Missing files have none. */
export async function loadKnownKeys(
  host: string,
  port: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<KnownKey[]> {
  const home = env['HOME'] ?? homedir();
  const files = [join(home, '.ssh', 'known_hosts'), '/etc/ssh/ssh_known_hosts'];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => parseKnownHosts(text, host, port));
}

/** Parses the keys of a server. Leaves out certificate authorities. */
export function parseKnownHosts(text: string, host: string, port: number): KnownKey[] {
  const name = port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
  return text.split(/\r?\n/).flatMap((line): KnownKey[] => {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
    const [hosts = '', type = '', key = ''] = words;
    if (hosts.startsWith('#') || key === '' || marker === '@cert-authority') return [];
    if (!matchesHost(hosts, name)) return [];
    return [{ type, key: Buffer.from(key, 'base64'), isRevoked: marker === '@revoked' }];
  });
}

function matchesHost(list: string, name: string): boolean {
  if (list.startsWith('|1|')) return matchesHash(list, name);
  let isListed = false;
  for (const item of list.toLowerCase().split(',')) {
    const isExcluded = item.startsWith('!');
    if (!matchesPattern(isExcluded ? item.slice(1) : item, name)) continue;
    if (isExcluded) return false;
    isListed = true;
  }
  return isListed;
}

/** Compares a hashed name: `|1|SALT|HASH`. */
function matchesHash(text: string, name: string): boolean {
  const [, , salt = '', hash = ''] = text.split('|');
  const digest = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return digest.equals(Buffer.from(hash, 'base64'));
}

/** `*` is any text, `?` any character. */
function matchesPattern(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  const source = pattern
    .replaceAll(/\*+/g, '*')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(name);
}

/** Returns the fingerprint of a key, as the SSH tools show it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
