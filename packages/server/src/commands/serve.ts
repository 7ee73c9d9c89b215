import type { Logger } from '@trove/core';
import { openTrove, prepareHome, type ResolvedSettings } from 'trove';
import { resolveAuth } from '../auth/auth.js';
import type { ProxyAccess } from '../auth/proxy-users.js';
import { parseBind } from '../config/bind.js';
import type { ServerConfig } from '../config/load.js';
import { runsWorkerInProcess } from '../config/report.js';
import { checkAddress } from '../address.js';
import { startHost } from '../host.js';
import { apiRoutes } from '../routes/table.js';
import { unlistedRoutes } from '../routes/unlisted.js';
import { version } from '../version.js';
import { logStart } from './log-start.js';
import { packageRoots } from './shared.js';

/** Time for clients to receive finished responses. */
const maxSendMs = 500;

/** A running server with its engine. */
export interface RunningServer {
  readonly url: string;
  /** Whether the console asks for a token. */
  readonly needsToken: boolean;
  /** Removes the secrets of all configured plugins from a text. */
  redact(text: string): string;
  /** Resolves when this process can no longer serve, but a new process can. */
  readonly superseded: Promise<unknown>;
  /**
   * Refuses new requests while requests in flight finish. Then closes the engine and the connections. Resolves
   * within 10 s.
   */
  close(): Promise<void>;
}

/** Opens the engine and serves it. */
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
      routes: [
        ...apiRoutes({ base: base_path, classicAnswers: classic_answers }),
        ...unlistedRoutes({ base: base_path, auth }),
      ],
      bind,
      auth,
      proxyAccess: proxyAccessOf(settings),
      corsOrigins: settings.server.cors_origins,
      mcpWrite: settings.mcp.write,
      limits: {
        requestTimeoutMs: settings.server.request_timeout_s * 1000,
        uploadBytes: settings.uploads.max_bytes,
      },
      logger,
    });
    if (runsWorkerInProcess(settings)) engine.startWorker();
    else engine.startAlerts();
    logStart('listening', config, logger, {
      url: host.url,
      auth: auth.mode,
      ...(auth.mode === 'auto' ? { token_file: auth.file } : {}),
      worker: runsWorkerInProcess(settings) ? 'in process' : 'none',
    });
    return {
      url: host.url,
      needsToken: auth.mode !== 'open',
      redact: (text) => engine.redact(text),
      superseded: engine.superseded,
      close: async () => {
        // The server still listens while the engine closes, so clients learn that it is not ready.
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

function proxyAccessOf({ access }: Pick<ResolvedSettings, 'access'>): ProxyAccess | null {
  const { proxy_header: header, trusted_proxies: trustedProxies, users } = access;
  if (header === undefined) return null;
  return {
    header: header.toLowerCase(),
    trustedProxies,
    users: Object.fromEntries(
      Object.entries(users).map(([name, { rights, paths = null }]) => [name, { rights, paths }]),
    ),
  };
}
