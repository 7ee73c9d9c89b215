import type { Logger } from '@trove/core';
import { openTrove, prepareHome } from 'trove';
import { resolveAuth } from '../auth/auth.js';
import { parseBind } from '../config/bind.js';
import type { ServerConfig } from '../config/load.js';
import { runsWorkerInProcess } from '../config/report.js';
import { checkAddress } from '../address.js';
import { startHost } from '../host.js';
import { pages } from '../routes/pages.js';
import { apiRoutes } from '../routes/table.js';
import { version } from '../version.js';
import { logStart } from './log-start.js';
import { packageRoots } from './shared.js';

/** Answers that are made have this long to be taken. */
const maxSendMs = 500;

/** A server with its engine. */
export interface RunningServer {
  readonly url: string;
  /** A text without the secrets of any configured plugin. */
  redact(text: string): string;
  /** Resolves when it can do nothing more, and one that is started anew can. */
  readonly superseded: Promise<unknown>;
  /** Lets requests in flight end while others are refused, ends the engine's work, then the connections. Resolves within 10 s. */
  close(): Promise<void>;
}

/** Opens the engine for the configuration and serves it. */
export async function serve(config: ServerConfig, logger: Logger): Promise<RunningServer> {
  const { settings, origins } = config;
  const { base_path, classic_answers } = settings.graph;
  const bind = parseBind(settings.server.bind, origins.get('server.bind'));
  await checkAddress(bind);
  await prepareHome(settings.home);
  const auth = await resolveAuth(settings);
  const engine = await openTrove(settings, { logger, version, appRoots: packageRoots(config) });
  try {
    const host = await startHost({
      engine,
      routes: [...apiRoutes({ base: base_path, classicAnswers: classic_answers }), ...pages],
      bind,
      auth,
      corsOrigins: settings.server.cors_origins,
      limits: {
        requestTimeoutMs: settings.server.request_timeout_s * 1000,
        uploadBytes: settings.uploads.max_bytes,
      },
      logger,
    });
    if (runsWorkerInProcess(settings)) engine.startWorker();
    logStart('listening', config, logger, {
      url: host.url,
      auth: auth.mode,
      ...(auth.mode === 'auto' ? { token_file: auth.file } : {}),
      worker: runsWorkerInProcess(settings) ? 'in process' : 'none',
    });
    return {
      url: host.url,
      redact: (text) => engine.redact(text),
      superseded: engine.superseded,
      close: async () => {
        // It listens meanwhile: who asks is told that the server is not ready.
        try {
          await engine.close();
        } finally {
          await host.close(maxSendMs);
        }
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
