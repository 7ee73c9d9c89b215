import type { FakeCell, FakeColumn } from './world.js';

export interface Result {
  readonly columns: readonly FakeColumn[];
  readonly rows: readonly (readonly FakeCell[])[];
  readonly usesWarehouse: boolean;
}

export function text(name: string): FakeColumn {
  return { name, type: 'TEXT' };
}

export function unquoted(name: string | undefined): string {
  return (name ?? '').replaceAll('""', '"');
}
