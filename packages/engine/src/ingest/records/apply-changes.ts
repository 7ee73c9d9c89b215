import type { RecordContent } from '../../content/record-content.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import type { NumberSet } from './number-set.js';
import type { RecordsContext } from './record-writer.js';
import type { ReportedRecords } from './reported-records.js';
import { ReportedUpdate } from './reported-update.js';

/** `whole`: the object must be read as a whole. */
export type ApplyResult = 'unchanged' | 'changed' | 'whole';

/**
 * Applies reported changes to the records of a known object. `reported`: the numbers of the records that the source has
 * reported since its last checkpoint. Those of the changes are added.
 */
export async function applyChanges(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
  report: ReportedRecords,
  reported: NumberSet,
): Promise<ApplyResult> {
  // Messages that a rule groups are stored without their threads.
  if (report.scopes.hasThreads && content.rule?.group_by !== undefined) return 'whole';
  const update = new ReportedUpdate(context, source, object, content, report, reported);
  try {
    await update.writeReported();
    await update.removeUnreported();
    if (!(await update.writeThreads()) || !(await update.writeMissed())) return 'whole';
  } finally {
    await update.idle();
  }
  const { isChanged, isWhole } = await update.outcome();
  if (!isChanged) return 'unchanged';
  return isWhole ? 'changed' : 'whole';
}
