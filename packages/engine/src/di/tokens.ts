import { token } from '@trove/core/di';
import type { EmbeddingService, PluginRegistry, Gate } from '@trove/runtime';
import type { ComputePool } from '../compute/compute-pool.js';
import type { InProcessWorker } from '../ingest/in-process-worker.js';
import type { ObjectPlanner } from '../connectors/object-plan.js';
import type { JobService } from '../jobs/job-service.js';
import type { Contents } from '../content/contents.js';
import type { EngineSettings } from '../settings.js';
import type { LinearGrepper } from '../read/linear-grep.js';
import type { Sources } from '../connectors/sources.js';

/** The plain values of the engine's options; one per engine. */
export const SettingsToken = token<EngineSettings>('engine.settings');

/** Aborts when the engine closes; one per engine. */
export const SignalToken = token<AbortSignal>('engine.signal');

/** Finds plugins by kind and key; one per engine. */
export const RegistryToken = token<PluginRegistry>('engine.registry');

/** The worker threads; one pool per engine. */
export const ComputePoolToken = token<ComputePool>('engine.computePool');

/** The configured embedder with its batches and its cache; one per engine. */
export const EmbeddingToken = token<EmbeddingService>('engine.embedding');

/** Bounds concurrent queries of the index; one per engine. */
export const QueryGateToken = token<Gate>('engine.queryGate');
export const LinearGrepperToken = token<LinearGrepper>('engine.linearGrepper');
export const GrepGateToken = token<Gate>('engine.grepGate');

/** Decides how each object is indexed; one per engine. */
export const PlannerToken = token<ObjectPlanner>('engine.planner');

/** Registered sources and their open connectors; one per engine. */
export const SourcesToken = token<Sources>('engine.sources');

/** Opens objects; one per engine, because their readers share one budget. */
export const ContentsToken = token<Contents>('engine.contents');

/** The worker of this process; one per engine, idle until started. */
export const InProcessWorkerToken = token<InProcessWorker>('engine.inProcessWorker');

/** The queue as seen by callers; one per engine. */
export const JobServiceToken = token<JobService>('engine.jobService');
