import { rmSync } from 'node:fs';

export interface RemoveTask {
  readonly folders: readonly string[];
}

export function removeFolders({ folders }: RemoveTask): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
