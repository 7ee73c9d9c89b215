import type { ModelUsage } from '../model/language-model.js';

export const summaryKinds = [
  'summary',
  'directory_summary',
  'schema_summary',
  'vlm_description',
] as const;

export type SummaryKind = (typeof summaryKinds)[number];

/** The summary of an object or folder. */
export interface SummaryRecord {
  /** Hash of namespace, connector and path; for an object, its id. */
  readonly id: string;
  /** The path of the object. The path of a folder ends with a slash, and '' is the root. */
  readonly path: string;
  readonly kind: SummaryKind;
  readonly text: string;
  /** The revision of its input. Unchanged input is not summarized again. */
  readonly revision: string;
}

/** Changes to the summaries of a source. */
export interface SummaryChange {
  readonly put: readonly SummaryRecord[];
  /** Ids. */
  readonly removed: readonly string[];
  /** The usage since the last change, which is added to the job's. */
  readonly modelUsage: ModelUsage;
}

/** The stored summaries of objects and folders. */
export interface SummaryCatalog {
  /** Returns the summaries of a connector with these paths, in any order. */
  findByPath(connectorId: string, paths: readonly string[]): Promise<SummaryRecord[]>;
  /** Returns summaries whose path sorts after `after` (null: from the start), in the order of objects. */
  list(
    connectorId: string,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<SummaryRecord[]>;
  /**
   * Stores changes, removals first, and counts them in the job, which becomes `summarizing`. Returns false if the lease
   * is lost.
   */
  put(jobId: string, worker: string, change: SummaryChange): Promise<boolean>;
}
