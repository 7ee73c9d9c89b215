import { inject, injectable, createToken, MetadataStoreToken } from '@trove/core/di';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import { loginOf, mergeOperatorSettings, type PluginRegistry } from '@trove/runtime';
import { PluginRegistryToken } from '../../tokens.js';
import { ObjectRules } from '../objects/object-rules.js';
import { withoutSyncSettings } from '../schedules/sync-settings.js';

/** The token of `SourceLogins` in an engine's container. */
export const SourceLoginsToken = createToken<SourceLogins>('engine.source_logins');

/** The logins of registered sources. */
@injectable()
export class SourceLogins {
  readonly #registry: PluginRegistry;
  readonly #store: Pick<MetadataStore, 'sources'>;

  constructor(
    @inject(PluginRegistryToken) registry: PluginRegistry,
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources'>,
  ) {
    this.#registry = registry;
    this.#store = store;
  }

  /** Returns null if the plugin or the configuration of the source can no longer be used. */
  async of({ rootUri, type, config }: ConnectorRecord): Promise<string | null> {
    try {
      const { configSchema: schema } = await this.#registry.get('connector', type);
      const { rest } = ObjectRules.split(withoutSyncSettings(config));
      const operatorSettings = this.#registry.configOf('connector', type, null);
      const merged = mergeOperatorSettings(schema, operatorSettings, rest ?? {});
      return loginOf({ target: rootUri, schema, config: merged });
    } catch {
      return null;
    }
  }

  /** Returns the logins of all registered sources, or null if one is unknown. */
  async list(): Promise<ReadonlySet<string> | null> {
    const logins = new Set<string>();
    for (const record of await this.#store.sources.list()) {
      const login = await this.of(record);
      if (login === null) return null;
      logins.add(login);
    }
    return logins;
  }
}
