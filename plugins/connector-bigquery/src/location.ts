import { parseUri, TroveError } from '@trove/core';

/** A project, or one of its datasets. */
export interface BigQueryLocation {
  readonly project: string;
  /** Null for all datasets. */
  readonly dataset: string | null;
}

/** Reads `bigquery://PROJECT` or `bigquery://PROJECT/DATASET`. Throws `validation_error` for other targets. */
export function locateDatasets(target: string): BigQueryLocation {
  const { authority, path } = parseUri(target);
  const [dataset = null, ...others] = path.split('/').filter((step) => step !== '');
  if (/^[a-z][a-z0-9.:-]*$/.test(authority) && others.length === 0)
    return { project: authority, dataset };
  throw new TroveError('validation_error', 'target: must name a project, and at most one dataset', {
    suggestions: ['Write it like bigquery://my-project/sales.'],
  });
}
