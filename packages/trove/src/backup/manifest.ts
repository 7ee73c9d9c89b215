import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, TroveError } from '@trove/core';

/** Written last, so a backup without it is incomplete. */
export const manifestName = 'backup.json';
export const metadataName = 'metadata.snapshot';
export const indexName = 'index';
export const uploadsName = 'uploads';
export const settingsName = 'server.toml';
/** Files and folders of the home that a backup copies unchanged. */
export const homeFiles = [settingsName, 'server.token', 'client.toml'] as const;
export const homeFolders = ['credentials', 'sources'] as const;

const format = 1;

/** Describes a complete backup. */
export interface BackupManifest {
  readonly format: typeof format;
  /** The version of Trove that wrote it. */
  readonly version: string;
  readonly createdAt: string;
  /** The backend of the metadata store. */
  readonly metadata: string;
  readonly hasIndex: boolean;
  /** The number and size of all files except this one. */
  readonly files: number;
  readonly bytes: number;
}

export function manifestOf(facts: Omit<BackupManifest, 'format'>): BackupManifest {
  return { format, ...facts };
}

/** Throws `storage_unavailable` if the folder has no complete backup. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, manifestName);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new TroveError('storage_unavailable', `${folder} has no complete backup: ${reason}`, {
      cause,
      suggestions: ['Name the folder of a backup that `trove backup` has finished.'],
    });
  }
  if (isManifest(value)) return value;
  throw new TroveError('storage_unavailable', `This version cannot read ${path}`, {
    suggestions: ['Update Trove.'],
  });
}

function isManifest(value: unknown): value is BackupManifest {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<keyof BackupManifest, unknown>> = value;
  return (
    fields.format === format &&
    typeof fields.metadata === 'string' &&
    typeof fields.hasIndex === 'boolean' &&
    typeof fields.files === 'number' &&
    typeof fields.bytes === 'number'
  );
}
