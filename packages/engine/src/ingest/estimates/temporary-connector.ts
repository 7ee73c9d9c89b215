import type { ConnectorRecord } from '@trove/core/store';
import type { Connectors, Target } from '../../sources/connectors/connectors.js';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';

/** A source to examine. Without a configuration, the one of the registered source with this target counts. */
export interface ExaminedSource {
  readonly target: string;
  readonly config: Readonly<Record<string, unknown>> | null;
}

/** A connector that is closed after use. */
export interface TemporaryConnector {
  readonly target: Target;
  readonly connector: GuardedConnector;
  /** Null if the source is not registered. */
  readonly registered: ConnectorRecord | null;
}

/** Opens a connector for a source that need not be registered. */
export async function withTemporaryConnector<T>(
  connectors: Connectors,
  { target: text, config }: ExaminedSource,
  use: (temporary: TemporaryConnector) => Promise<T>,
): Promise<T> {
  const target = await connectors.resolveTarget(text);
  const owner = await connectors.findOwner(target.rootUri);
  const registered = owner?.rootUri === target.rootUri ? owner : null;
  const connector = await connectors.create(target, {
    config: config ?? registered?.config ?? null,
    tree: registered?.tree ?? null,
    isTemporary: true,
  });
  try {
    return await use({ target, connector, registered });
  } finally {
    await connectors.release(connector);
  }
}
