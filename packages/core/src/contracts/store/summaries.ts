import type { ModelUsage } from '../model/language-model.js';

export const summaryKinds = [
  'summary',
  'directory_summary',
  'schema_summary',
  'vlm_description',
] as const;

export type SummaryKind = (typeof summaryKinds)[number];

/** What a language model wrote about an object or a folder. */
export interface SummaryRecord {
  /** Hash of namespace, connector and path; for an object, its id. */
  readonly id: string;
  /** Of the object; a folder's ends with a slash, and '' is the root. */
  readonly path: string;
  readonly kind: SummaryKind;
  readonly text: string;
  /** Identifies what it was made from; if equal, there is nothing to do. */
  readonly revision: string;
}

/** What changes about the summaries of a source. */
export interface SummaryChange {
  readonly put: readonly SummaryRecord[];
  /** Ids. */
  readonly removed: readonly string[];
  /** What was spent since the last change; added to the job's. */
  readonly modelUsage: ModelUsage;
}

/** What a language model wrote about objects and folders. */
export interface SummaryCatalog {
  /** The summaries of a connector with these paths, in any order. */
  findByPath(connectorId: string, paths: readonly string[]): Promise<SummaryRecord[]>;
  /** Summaries whose path sorts after `after` (null: from the start), in the order of objects. */
  list(
    connectorId: string,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<SummaryRecord[]>;
  /**
   * Stores what changes (removed first) and counts it in the job, which is `summarizing` from then on. False when the
   * lease is lost.
   */
  put(jobId: string, worker: string, change: SummaryChange): Promise<boolean>;
}
