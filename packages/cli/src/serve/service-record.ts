import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';

import { readFileIfAny } from '../session/system-errors.js';
import { serveFiles } from './files.js';
import type { ServerRecord } from './record.js';

/** The service of a home that `trove serve install` installed. */
export interface ServiceRecord extends Pick<ServerRecord, 'bind' | 'endpoint' | 'config'> {
  /** The path of the service's file. */
  readonly file: string;
}

/** Returns the service of a home, if it is still installed. A user has one service, for one home. */
export function readService(home: string): ServiceRecord | undefined {
  const record = parse(readFileIfAny(serveFiles(home).service));
  if (record === undefined) return undefined;
  const { digest, ...service } = record;
  return digestOf(service.file) === digest ? service : undefined;
}

/** Records the service of a home. Requires its file, because the record contains a digest of it. */
export function writeService(home: string, service: ServiceRecord): void {
  const record = { ...service, digest: digestOf(service.file) };
  writeFileSync(serveFiles(home).service, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

export function removeService(home: string): void {
  rmSync(serveFiles(home).service, { force: true });
}

function digestOf(file: string): string | undefined {
  const text = readFileIfAny(file);
  return text && createHash('sha256').update(text).digest('hex');
}

type StoredService = ServiceRecord & { readonly digest: string };

function parse(text: string | undefined): StoredService | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isStoredService(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStoredService(value: unknown): value is StoredService {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<keyof StoredService, unknown>> = value;
  const { config } = fields;
  return (
    [fields.file, fields.bind, fields.endpoint, fields.digest].every(
      (field) => typeof field === 'string',
    ) &&
    (config === undefined || typeof config === 'string')
  );
}
