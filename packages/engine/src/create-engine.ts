import {
  isStorageError,
  isTroveError,
  messageOf,
  silentLogger,
  TroveError,
  type Logger,
} from '@trove/core';
import { createContainer } from '@trove/core/di';
import {
  createAbortController,
  anySignal,
  DisposalStack,
  KnownSecrets,
  PluginRegistry,
  type SharedServices,
  type PluginEnvironment,
} from '@trove/runtime';
import { openWorkers } from '@trove/runtime/workers';
import { fullAccess, type Access, type Caller } from './api/access.js';
import { includesRights, operationRights, type Rights } from './api/rights.js';
import type { CallOptions } from './api/calls.js';
import { CallsInFlight, callAtEnd } from './calls-in-flight.js';
import { compose, type Dependencies, type Services } from './compose.js';
import { withInstances } from './di/instances.js';
import { applyOverrides } from './di/override.js';
import {
  compact,
  type CompactionTargets,
  type CompactionResult,
} from './generations/maintenance/compaction.js';
import { CallerServicesFactory } from './restrict-services.js';
import { releaseDeadWorkers } from './ingest/worker/worker-name.js';
import { maxCloseMs, openDependencies } from './open-dependencies.js';
import {
  createOperations,
  type KeepOpen,
  type UseServices,
  type Operations,
} from './operations.js';
import type { EngineOptions } from './options.js';
import type { LoginRequest, OpenedLogin } from './sources/connectors/login-service.js';
import { resolvePaths } from './sources/visibility/resolve-paths.js';
import type { Statistics } from './query/status/statistics.js';
import { settingsOf } from './resolve-options.js';

/** Maximum time that closing waits for calls in progress. */
const maxFinishMs = 3_000;
/** How often caches and history are trimmed to their limits. */
const tidyIntervalMs = 60 * 60 * 1000;

/** Trove without HTTP. */
export interface Engine extends Operations, AsyncDisposable {
  /** Works on queued jobs in this process until the engine closes; repeated calls have no effect. */
  startWorker(): void;
  /**
   * Sends alerts from this process until the engine closes, if a receiver is configured. A process that works on jobs does
   * so anyway. Others notice when no worker runs.
   */
  startAlerts(): void;
  /**
   * Frees the space of deleted data on the disk and in the databases. Other processes may use them meanwhile. Throws
   * `sync_already_running` while a job runs.
   */
  compact(): Promise<CompactionResult>;
  /**
   * Opens the login of a source with OAuth, for a command on a terminal. The source need not be registered. Throws
   * `not_supported` if its connector has no such login, and `config_invalid` without a client.
   */
  openLogin(request: LoginRequest): Promise<OpenedLogin>;
  /**
   * Returns the operations as a caller with this access may use them. An operation beyond its rights throws
   * `forbidden`.
   */
  restrictTo(access: Access): Operations;
  /** Returns paths and URIs in the form of `Access.paths`, with links resolved. Throws `validation_error`. */
  canonicalUris(paths: readonly string[]): Promise<string[]>;
  /** Returns the caller that a token belongs to. Null if the token is not valid. */
  authenticate(token: string): Promise<Caller | null>;
  /**
   * Resolves with the reason when this engine cannot continue but a new one can. This happens when another process with
   * another embedder removed its index while this process was suspended. Otherwise stays pending.
   */
  readonly superseded: Promise<TroveError>;
  /** Counts of operations since the engine was opened, and of stored data. Resolves within 2 s. */
  statistics(): Promise<Statistics>;
  /**
   * Removes the secrets of all configured plugins from a text and cuts it to about 10,000 characters. For an
   * application's log of uncaught errors.
   */
  redact(text: string): string;
  /**
   * Stops work, gives back unfinished tasks, and closes everything within 10 s. Idempotent. Throws an `AggregateError` of
   * all failures to close.
   */
  close(): Promise<void>;
}

/** An engine and the services that an application shares with it, such as for graphs. Both close together. */
export interface OpenedEngine {
  readonly engine: Engine;
  readonly sharedServices: SharedServices;
}

/**
 * Opens an engine with its databases, index and embedder. Throws a `TroveError` and closes everything again if one of them
 * cannot be opened. Engines in one process share nothing.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { engine } = await openEngine(options);
  return engine;
}

/** Like `createEngine`, for an application that also uses the engine's store, index and models. */
export async function openEngine(given: EngineOptions): Promise<OpenedEngine> {
  const overridden = applyOverrides(given.logger ?? silentLogger, given.override);
  const { logger } = overridden;
  const options = withInstances(given, overridden.instances);
  const settings = settingsOf(options);
  assertNamespace(settings.namespace);
  const controller = createAbortController();
  const stopping = createAbortController();
  const { signal } = controller;
  const inFlight = new CallsInFlight();
  const disposal = new DisposalStack(logger);
  const secrets = new KnownSecrets();
  const registry = new PluginRegistry(options);
  const workers = openWorkers();
  disposal.add('threads and processes', () => workers.close());
  const opening: PluginEnvironment = { registry, logger, signal, disposal, secrets, workers };
  try {
    const opened = await openDependencies(opening, options, settings, {
      ...overridden,
      stopping: stopping.signal,
    });
    const { dependencies, languageModel, fallbackModel } = opened;
    const { store, index, embedding, collection, cache, conversions } = dependencies;
    const container = createContainer();
    const services = compose(container, dependencies);
    // Disposal runs in reverse order: the worker first, then the calls in flight, the connectors, and the plugins.
    disposal.add('connectors', () => services.connectors.close());
    disposal.add('calls in flight', () => controller.abort(closedError()));
    disposal.add('replaced files', () => services.uploads.close());
    // The worker gives back its work and calls get time to end, before calls are aborted.
    disposal.add('the worker', async () => {
      stopping.abort(closedError());
      await Promise.all([
        services.watched.stop(),
        services.scheduled.stop(),
        services.alerts.stop(),
        services.embedderSwitch.stop(),
        services.repair.stop(),
      ]);
      await Promise.all([services.ingest.stop(), inFlight.idle(maxFinishMs)]);
    });
    await releaseDeadWorkers(store.leases, settings.machineId);
    const inBackground = backgroundRunner(dependencies);
    void inBackground('resuming removals', () => services.removal.resume());
    const tidy = startTidying(services, dependencies, inBackground, disposal);
    const compactionTargets = { store, collection, cache, tidy };
    return {
      engine: engineOf(services, {
        callers: new CallerServicesFactory(container, services),
        signal,
        inFlight,
        disposal,
        logger,
        secrets,
        compactionTargets,
      }),
      sharedServices: {
        logger,
        signal,
        disposal,
        store,
        index,
        embedding,
        conversions,
        languageModel,
        fallbackModel,
      },
    };
  } catch (error) {
    controller.abort(closedError());
    await disposal.dispose(maxCloseMs).catch(() => undefined);
    throw error;
  }
}

function assertNamespace(namespace: string): void {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(namespace)) return;
  throw new TroveError(
    'config_invalid',
    'namespace: must be 1 to 64 letters, digits, underscores or hyphens',
  );
}

/** Runs work that no caller waits for. `what` names it in the log. */
type RunInBackground = (what: string, work: () => Promise<unknown>) => Promise<unknown>;

/** Logs failures instead of throwing them, except those of closing. */
function backgroundRunner({ logger, signal }: Dependencies): RunInBackground {
  return (what, work) =>
    work().catch((error: unknown) => {
      if (!signal.aborted) logger.error(`${what} failed`, { error: String(error) });
    });
}

/** Trims caches and history to their limits now and every hour. Returns the function that does it. */
function startTidying(
  services: Services,
  { store, settings, cache, conversions }: Dependencies,
  inBackground: RunInBackground,
  disposal: DisposalStack,
): () => Promise<unknown> {
  const tidy = (): Promise<unknown> =>
    Promise.all([
      inBackground('pruning finished jobs', () => store.jobs.prune(settings.retentionMs)),
      inBackground('removing abandoned uploads', () => services.trees.sweep(store.sources)),
      inBackground('deleting folders of removed sources', () =>
        services.folders.sweep(store.sources),
      ),
      inBackground('deleting files of ended jobs', () => services.taskFiles.sweep(store.jobs)),
      inBackground('deleting rows of removed sources', () => services.removal.sweep()),
      inBackground('deleting tokens of unused logins', () =>
        services.tokenFiles.sweep(() => services.logins.list()),
      ),
      inBackground('pruning the cache', async () => cache?.prune(settings.cacheMaxBytes)),
      inBackground('pruning the artifacts', () => conversions.prune()),
    ]);
  void tidy();
  const timer = setInterval(() => void tidy(), tidyIntervalMs).unref();
  disposal.add('tidying up', () => clearInterval(timer));
  return tidy;
}

interface EngineLifecycle {
  readonly callers: CallerServicesFactory;
  readonly signal: AbortSignal;
  readonly inFlight: CallsInFlight;
  readonly disposal: DisposalStack;
  readonly logger: Logger;
  readonly secrets: KnownSecrets;
  readonly compactionTargets: Omit<CompactionTargets, 'diskUse'>;
}

/** Combines the operations with the lifecycle of the engine. */
function engineOf(
  services: Services,
  { callers, signal, inFlight, disposal, logger, secrets, compactionTargets }: EngineLifecycle,
): Engine {
  let closing: Promise<void> | null = null;
  let working = false;
  const assertOpen = (): void => {
    if (closing !== null) throw closedError();
  };
  const run = async <A, S>(
    used: S,
    options: CallOptions | undefined,
    use: UseServices<A, S>,
  ): Promise<A> => {
    assertOpen();
    const endCall = inFlight.begin();
    const until = anySignal(signal, options?.signal);
    const end = (): void => {
      until.end();
      endCall();
    };
    let isKeptOpen = false;
    const keepOpen: KeepOpen = (items) => {
      isKeptOpen = true;
      return callAtEnd(items, end);
    };
    try {
      const answer = await use(used, until.signal, keepOpen);
      if (!isKeptOpen) end();
      return answer;
    } catch (error) {
      end();
      throw options?.signal?.aborted === true && !isTroveError(error)
        ? error
        : toCallerError(error, logger);
    }
  };
  const restrictTo = (access: Access): Operations => {
    const visible = callers.create(access);
    return createOperations(async (name, options, use) => {
      assertRights(access, operationRights[name]);
      return run(visible, options, use);
    });
  };
  const close = (): Promise<void> => (closing ??= disposal.dispose(maxCloseMs));
  return {
    ...restrictTo(fullAccess),
    restrictTo,
    canonicalUris: (paths) =>
      run(services, undefined, ({ connectors }) => resolvePaths(connectors, paths)),
    authenticate: (token) => run(services, undefined, ({ tokens }) => tokens.authenticate(token)),
    startWorker: () => {
      assertOpen();
      if (working) return;
      working = true;
      services.ingest.start();
      services.watched.start();
      services.scheduled.start();
      services.alerts.start();
      services.embedderSwitch.start();
      services.repair.start();
    },
    startAlerts: () => {
      assertOpen();
      services.alerts.start();
    },
    compact: () => run(services, undefined, (used) => compact({ ...used, ...compactionTargets })),
    openLogin: (request) =>
      run(services, undefined, ({ loginService }) => loginService.open(request)),
    superseded: services.embedderSwitch.superseded,
    statistics: () => run(services, undefined, ({ statistics }) => statistics.now()),
    redact: (text) => secrets.redact(text),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Throws `forbidden`. */
function assertRights({ rights }: Access, required: Rights): void {
  if (includesRights(rights, required)) return;
  throw new TroveError('forbidden', `The operation needs the right \`${required}\``);
}

/** Converts an error to the one that callers receive. Logs details that must not appear in a response. */
function toCallerError(error: unknown, logger: Logger): TroveError {
  if (isTroveError(error)) {
    const { detail, cause } = error;
    if (isStorageError(error)) logger.warn(detail, { cause: messageOf(cause) });
    return error;
  }
  logger.error('an operation failed unexpectedly', {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new TroveError('internal_error', 'Unexpected internal error', {
    cause: error,
  });
}

function closedError(): TroveError {
  return new TroveError('engine_closed', 'The engine is closed');
}
