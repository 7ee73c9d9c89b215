import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const machineIdFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

/** Returns a stable hash of the machine's id and host name, which reveals neither. */
export async function machineId(home: string): Promise<string> {
  const id = (await readSystemId()) ?? (await createId(join(home, 'machine-id')));
  return createHash('sha256').update(`${id}\n${hostname()}`).digest('hex').slice(0, 32);
}

async function readSystemId(): Promise<string | null> {
  for (const file of machineIdFiles) {
    const id = await readText(file);
    if (id !== null && id !== '') return id;
  }
  return null;
}

/** Creates and stores an id. If another process was faster, returns the id of that process. */
async function createId(file: string): Promise<string> {
  try {
    const id = randomUUID();
    await writeFile(file, `${id}\n`, { flag: 'wx', mode: 0o600 });
    return id;
  } catch {
    return (await readText(file)) ?? '';
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    return null;
  }
}
