import { readFileSync } from 'node:fs';
import { ownPackage } from './own-package.js';

/** The version of this package. */
export const version = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('package.json', ownPackage), 'utf8');
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
}
