import { alertCases } from './alert-cases.js';
import { retryCases } from './retry-cases.js';
import { connectorCases } from './connector-cases.js';
import { connectorMoveCases } from './connector-move-cases.js';
import { generationCases } from './generation-cases.js';
import { trainingCases } from './training-cases.js';
import { graphCases } from './graph-cases.js';
import { jobCases } from './job-cases.js';
import { leaseCases } from './lease-cases.js';
import { listingCases } from './listing-cases.js';
import { moveCases } from './move-cases.js';
import { openingCases } from './opening-cases.js';
import { objectCases } from './object-cases.js';
import { pauseCases } from './pause-cases.js';
import { recordCases } from './record-cases.js';
import { recordThreadCases } from './record-thread-cases.js';
import { repeatedListingCases } from './repeated-listing-cases.js';
import { scheduleCases } from './schedule-cases.js';
import type { MetadataStoreCase, MetadataStorePart } from './subject.js';
import { summaryCases } from './summary-cases.js';
import { taskCases } from './task-cases.js';
import { tokenCases } from './token-cases.js';
import { maintenanceCases } from './maintenance-cases.js';

export type { MetadataStoreCase, MetadataStorePart, MetadataStoreSubject } from './subject.js';

/** Requirements on every metadata store. */
export const metadataStoreCases: readonly MetadataStoreCase[] = [
  ...connectorCases,
  ...connectorMoveCases,
  ...objectCases,
  ...jobCases,
  ...leaseCases,
  ...pauseCases,
  ...scheduleCases,
  ...listingCases,
  ...moveCases,
  ...repeatedListingCases,
  ...retryCases,
  ...recordCases,
  ...recordThreadCases,
  ...taskCases,
  ...summaryCases,
  ...alertCases,
  ...graphCases,
  ...trainingCases,
  ...tokenCases,
  ...generationCases,
  ...maintenanceCases,
  ...openingCases,
];

/** Returns the cases that use only these parts, for a store that is implemented part by part. */
export function metadataStoreCasesFor(parts: readonly MetadataStorePart[]): MetadataStoreCase[] {
  return metadataStoreCases.filter((each) => each.parts.every((part) => parts.includes(part)));
}
