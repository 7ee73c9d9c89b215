import { messageOf, type Logger } from '@trove/core';
import type { JobRecord, NewTask } from '@trove/core/store';
import type { TaskSource } from '../tasks/prepare-object.js';
import type { IngestServices } from '../tasks/process-task.js';
import { sampleTexts } from './sample-texts.js';

/**
 * Whether a job should train the embedder: if it is untrained, or if the job indexes all of a source that has most of the
 * chunks.
 */
export async function shouldTrain(
  { trainedEmbedder, store }: Pick<IngestServices, 'trainedEmbedder' | 'store'>,
  { full, connectorId }: JobRecord,
): Promise<boolean> {
  if (!trainedEmbedder.isTrainable) return false;
  if (trainedEmbedder.cached === null) return true;
  if (!full) return false;
  const stats = await store.sources.stats();
  const chunks = stats.reduce((sum, each) => sum + each.chunks, 0);
  const own = stats.find((each) => each.connectorId === connectorId)?.chunks ?? 0;
  return 2 * own >= chunks;
}

/**
 * Trains the embedder with a sample of the objects of the tasks. Failures are logged, because an untrained embedder works,
 * too.
 */
export async function train(
  context: IngestServices & { readonly logger: Logger },
  source: TaskSource,
  tasks: readonly NewTask[],
): Promise<void> {
  const { trainedEmbedder, pool, logger } = context;
  const { signal, job } = source;
  try {
    const texts = await sampleTexts(context, source, tasks);
    if (texts === null) return;
    const started = performance.now();
    await trainedEmbedder.replace(await pool.run('train', { texts }, { signal }));
    const ms = Math.round(performance.now() - started);
    logger.info('trained the embedder', { job: job.id, texts: texts.length, ms });
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('training the embedder failed', { job: job.id, error: messageOf(error) });
  }
}
