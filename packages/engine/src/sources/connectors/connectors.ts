import { inject, injectable, createToken, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import {
  formatUri,
  joinUri,
  parseUri,
  relativePath,
  TroveError,
  type Logger,
  type PluginOf,
} from '@trove/core';
import type { ConnectorRecord, ConnectorRegistry, MetadataStore } from '@trove/core/store';
import type { Workers } from '@trove/core/workers';
import {
  createInstance,
  type KnownSecrets,
  findLiteralSecrets,
  findSecretValues,
  createPluginContext,
  type PluginRegistry,
  resolveConfig,
  loginOf,
  SecretVariants,
  SourceCredentials,
  type DeniedSecrets,
  mergeOperatorSettings,
} from '@trove/runtime';
import {
  PluginRegistryToken,
  SecretsToken,
  SettingsToken,
  SignalToken,
  WorkersToken,
} from '../../tokens.js';
import { connectorId } from '../ids.js';
import type { EngineSettings } from '../../settings.js';
import type { TreeStore } from '../uploads/tree-store.js';
import type { SourceFolders } from './source-folders.js';
import type { TokenFiles } from './token-files.js';
import { assertLocal } from './assert-local.js';
import { findByAddress, type Visible } from './find-by-address.js';
import { GuardedConnector } from './guarded-connector.js';
import { IdleConnectors } from './idle-connectors.js';
import { digestOf } from './connector-digest.js';
import { ConnectorState } from './connector-state.js';
import { LocalPathPolicy, realPathOf } from './local-path-policy.js';
import { holdsPassword, plainSecretWarning } from './plain-secrets.js';
import { ObjectRules } from '../objects/object-rules.js';
import {
  doOverlap,
  freeIdOf,
  notRegisteredError,
  ownerOf,
  possibleRootsOf,
  sourcesContaining,
} from './owner.js';
import { redactedConfig } from './redacted-config.js';
import { RealRoots } from './real-roots.js';
import { replacedError } from './replaced-error.js';
import { shareReads } from './shared-read.js';
import { withoutSyncSettings, type SourceConfig } from '../schedules/sync-settings.js';
import type { Location, SourceFinder, SourcePart } from './source-finder.js';
import { storedStateOf } from './stored-state.js';
import { cursorProblem } from './connector-validation.js';

const maxWarnings = 20;

/** A target with the plugin that opens it, registered or not. */
export interface Target {
  readonly rootUri: string;
  /** The scheme of its URI, which is the type of the source. */
  readonly scheme: string;
  readonly plugin: PluginOf<'connector'>;
}

/** Options for opening a connector. */
export type ConnectorOptions = Pick<ConnectorRecord, 'config' | 'tree'> & {
  /** Keeps no files of the source. Default false. */
  readonly isTemporary?: boolean;
};

/** The token of `SourceFiles` in an engine's container. */
export const SourceFilesToken = createToken<SourceFiles>('engine.source_files');

/** Stores for files of sources. */
export interface SourceFiles {
  /** Files that clients uploaded. */
  readonly trees: TreeStore;
  /** Files that connectors keep. */
  readonly folders: SourceFolders;
  /** Tokens that replaced the ones in configurations. */
  readonly tokens: TokenFiles;
}

/** The token of `Connectors` in an engine's container. */
export const ConnectorsToken = createToken<Connectors>('engine.connectors');

/** Finds and opens connectors for targets and registered sources. */
@injectable()
export class Connectors implements SourceFinder {
  readonly #registry: PluginRegistry;
  readonly #sources: ConnectorRegistry;
  readonly #registered: () => Promise<readonly ConnectorRecord[]>;
  readonly #namespace: string;
  readonly #pathPolicy: LocalPathPolicy;
  readonly #deniedVariables: readonly string[];
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #workers: Workers;
  readonly #secrets: KnownSecrets;
  readonly #files: SourceFiles;
  readonly #realRoots: RealRoots;
  readonly #idle: IdleConnectors;
  /** The connectors of registered sources by source id. */
  readonly #open = new Map<
    string,
    { configDigest: string; connector: Promise<GuardedConnector> }
  >();

  constructor(
    @inject(PluginRegistryToken) registry: PluginRegistry,
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources'>,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(LoggerToken) logger: Logger,
    @inject(SignalToken) signal: AbortSignal,
    @inject(WorkersToken) workers: Workers,
    @inject(SecretsToken) secrets: KnownSecrets,
    @inject(SourceFilesToken) files: SourceFiles,
  ) {
    this.#registry = registry;
    this.#sources = store.sources;
    this.#registered = shareReads(() => store.sources.list());
    this.#namespace = settings.namespace;
    this.#pathPolicy = new LocalPathPolicy(settings);
    this.#deniedVariables = settings.deniedVariables;
    this.#logger = logger;
    this.#signal = signal;
    this.#workers = workers;
    this.#secrets = secrets;
    this.#files = files;
    this.#idle = new IdleConnectors(logger);
    this.#realRoots = new RealRoots((uri) => this.#realUri(uri), signal);
  }

  /** Throws `validation_error`, `not_available` or `path_not_allowed`. */
  async resolveTarget(text: string): Promise<Target> {
    const rootUri = await this.canonicalUri(text, 'target');
    const uri = parseUri(rootUri);
    // Each hit shows the target, and no schema marks a part of it as secret.
    if (holdsPassword(uri.authority)) {
      throw new TroveError('validation_error', 'target: must not carry a password', {
        suggestions: [
          "Put it into the source's configuration as a reference: env:NAME or file:/path.",
        ],
      });
    }
    const plugin = await this.#registry.get('connector', uri.scheme);
    const path = uri.path === '' ? '/' : uri.path;
    const isLocal = uri.authority === '' || uri.authority === plugin.defaultAuthority;
    // `local` is this machine, even with another connector for its files.
    if (isLocal && plugin.defaultAuthority === 'local') await this.#pathPolicy.assertAllowed(path);
    // No target may start in the application's own files, however the connector interprets it.
    else if (isLocal) await this.#pathPolicy.assertNotDenied(path);
    return { rootUri, scheme: uri.scheme, plugin };
  }

  /** The canonical URI of a path or URI. Throws `validation_error` that names `field`. */
  async canonicalUri(text: string, field: 'path' | 'target' = 'path'): Promise<string> {
    const uri = parseUri(text, field);
    if (uri.authority !== '') return formatUri(uri);
    const plugin = await this.#registry.find('connector', uri.scheme);
    return formatUri({ ...uri, authority: plugin?.defaultAuthority ?? '' });
  }

  /**
   * Creates a connector for a target that is not registered, or is registered with another configuration. The caller must
   * release or adopt it.
   */
  async create(
    target: Target,
    { config, tree, isTemporary = false }: ConnectorOptions,
  ): Promise<GuardedConnector> {
    const { rules, rest } = ObjectRules.split(withoutSyncSettings(config));
    const { plugin } = target;
    if (tree === null) assertLocal(target);
    const given = this.#withOperatorSettings(target, rest);
    const [deniedRoots, allowedRoots] = await Promise.all([
      this.#pathPolicy.deniedRoots(),
      this.#pathPolicy.allowedRoots(),
    ]);
    const deniedSecrets = await this.#deniedSecrets(deniedRoots);
    const resolved = await resolveConfig(plugin.configSchema, given, 'config', deniedSecrets);
    const secrets = new SecretVariants(resolved.secrets);
    const context = createPluginContext(
      { ...resolved, secrets: secrets.variants },
      {
        kind: 'connector',
        key: target.scheme,
        logger: this.#logger,
        signal: this.#signal,
        workers: this.#workers,
      },
    );
    const cacheFolder = isTemporary
      ? null
      : this.#files.folders.of(await this.idOf(target.rootUri));
    const files = {
      ...(tree === null ? {} : { tree: this.#files.trees.filesOf(tree) }),
      ...(cacheFolder === null ? {} : { cacheFolder }),
    };
    secrets.addSecrets(Object.values(files));
    const state = this.#state(target);
    return new GuardedConnector({
      plugin,
      rootUri: target.rootUri,
      rules,
      secrets: secrets.variants,
      state,
      knownSecrets: this.#secrets,
      warnings: findLiteralSecrets(plugin.configSchema, rest)
        .slice(0, maxWarnings)
        .map(plainSecretWarning),
      create: async () =>
        createInstance(plugin, {
          ...context,
          ...files,
          credentials: this.#credentials(target, given, secrets, deniedSecrets),
          state,
          target: target.rootUri,
          deniedRoots,
          allowedRoots,
        }),
      onIdle: (connector) => this.#idle.add(connector),
    });
  }

  /** Opens the credentials of a source without its connector. `isShared`: other sources may have the same login. */
  async openCredentials(
    target: Target,
    own: SourceConfig | null,
  ): Promise<{
    readonly credentials: SourceCredentials;
    readonly config: SourceConfig;
    readonly isShared: boolean;
  }> {
    const { rest } = ObjectRules.split(withoutSyncSettings(own));
    const { configSchema: schema } = target.plugin;
    const given = this.#withOperatorSettings(target, rest);
    const deniedSecrets = await this.#deniedSecrets(await this.#pathPolicy.deniedRoots());
    const resolved = await resolveConfig(schema, given, 'config', deniedSecrets);
    const secrets = new SecretVariants(resolved.secrets);
    return {
      credentials: this.#credentials(target, given, secrets, deniedSecrets),
      config: resolved.config,
      isShared: findSecretValues(schema, given).length > 0,
    };
  }

  async #deniedSecrets(roots: readonly string[]): Promise<DeniedSecrets> {
    const files = await this.#pathPolicy.deniedFiles();
    return { places: [...roots, ...files], variables: this.#deniedVariables };
  }

  #credentials(
    { plugin, rootUri }: Target,
    config: SourceConfig,
    secrets: SecretVariants,
    deniedSecrets: DeniedSecrets,
  ): SourceCredentials {
    const schema = plugin.configSchema;
    const login = loginOf({ target: rootUri, schema, config });
    return new SourceCredentials({
      login,
      schema,
      config,
      tokens: this.#files.tokens.of(login),
      limits: this.#files.tokens.limitsOf(login),
      secrets,
      signal: this.#signal,
      deniedSecrets,
    });
  }

  /** The state of an unregistered source is empty. */
  #state({ rootUri, scheme }: Target): ConnectorState {
    return new ConnectorState(
      async () => storedStateOf((await this.findRegistered(rootUri))?.state).kept,
      (value) => {
        const problem = cursorProblem(value);
        if (problem === null) return;
        throw new TroveError('plugin_invalid', `connector ${scheme}: state.set: ${problem}`);
      },
    );
  }

  #withOperatorSettings({ plugin, scheme }: Target, own: SourceConfig | null): SourceConfig {
    const operatorSettings = this.#registry.configOf('connector', scheme, null);
    return mergeOperatorSettings(plugin.configSchema, operatorSettings, own ?? {});
  }

  /** Returns the connector of a registered source. It is opened once per configuration. */
  async open(record: ConnectorRecord): Promise<GuardedConnector> {
    const known = this.#open.get(record.id);
    if (known?.configDigest === digestOf(record)) return known.connector;
    // The record may be older than the current configuration. Opening it must not close a newer connector.
    const now = await this.#sources.get(record.id);
    if (now === null) throw replacedError();
    return this.#openAs(now);
  }

  /** Opens a source with its current configuration. Resolves when the calls of the previous connector have ended. */
  async reopen(record: ConnectorRecord): Promise<void> {
    const before = this.#open.get(record.id);
    const connector = this.#openAs(record);
    if (before !== undefined && before.connector !== connector)
      await this.release(before.connector);
  }

  #openAs(record: ConnectorRecord): Promise<GuardedConnector> {
    const configDigest = digestOf(record);
    const known = this.#open.get(record.id);
    if (known?.configDigest === configDigest) return known.connector;
    if (known !== undefined) void this.release(known.connector);
    const connector = this.resolveTarget(record.rootUri).then((target) =>
      this.create(target, record),
    );
    this.#open.set(record.id, { configDigest, connector });
    connector.catch(() => {
      if (this.#open.get(record.id)?.connector === connector) this.#open.delete(record.id);
    });
    return connector;
  }

  /**
   * Makes a connector the one of a registered source. Releases it if the source already has one with the same
   * configuration.
   */
  adopt(
    { id, ...options }: ConnectorOptions & Pick<ConnectorRecord, 'id' | 'rootUri'>,
    connector: GuardedConnector,
  ): void {
    const configDigest = digestOf(options);
    const known = this.#open.get(id);
    if (known?.configDigest === configDigest) return void this.release(Promise.resolve(connector));
    if (known !== undefined) void this.release(known.connector);
    this.#open.set(id, { configDigest, connector: Promise.resolve(connector) });
  }

  /** Closes the open connector of a source. Failures are logged. */
  async discard(id: string): Promise<void> {
    const known = this.#open.get(id);
    this.#open.delete(id);
    if (known !== undefined) await this.release(known.connector);
  }

  /**
   * Returns the canonical URI of a path or URI. If no source contains a web address, this is the URI of the object with that
   * address in a source, such as `web://docs`. Only what `visible` contains exists. Null: everything.
   */
  async findUri(
    text: string,
    field: 'path' | 'target' = 'path',
    visible: Visible | null = null,
  ): Promise<string> {
    const uri = await this.canonicalUri(text, field);
    const isHidden = visible?.contains(uri) === false;
    if (!/^https?:/.test(uri) || (!isHidden && (await this.findOwner(uri)) !== null)) return uri;
    const found = await findByAddress(text, {
      registry: this.#registry,
      records: await this.#registered(),
      open: (record) => this.open(record),
      visible,
      signal: this.#signal,
    });
    return found ?? uri;
  }

  /** The innermost registered source that contains a path. Throws `not_found`, or `validation_error` that names `field`. */
  async locate(text: string, field: 'path' | 'target' = 'path'): Promise<Location> {
    const uri = await this.findUri(text, field);
    const location = await this.locateUri(uri);
    if (location === null) throw notRegisteredError(uri);
    return location;
  }

  /** The innermost registered source that contains a canonical URI, or null. */
  async locateUri(uri: string): Promise<Location | null> {
    const record = await this.findOwner(uri);
    if (record === null) return null;
    const connector = await this.open(record);
    return { record, connector, uri, path: relativePath(record.rootUri, uri) ?? '' };
  }

  async findOwner(uri: string): Promise<ConnectorRecord | null> {
    return ownerOf(await this.findContaining(uri), uri);
  }

  /** Returns the registered sources that contain a URI. The cost does not depend on the number of sources. */
  async findContaining(uri: string): Promise<readonly ConnectorRecord[]> {
    const roots = possibleRootsOf(uri);
    const records = roots ? this.#sources.findByRoot(roots) : this.#registered();
    return sourcesContaining(await records, uri);
  }

  /** Returns the registered source with a root URI, or null. */
  async findRegistered(rootUri: string): Promise<ConnectorRecord | null> {
    const [record] = await this.#sources.findByRoot([rootUri]);
    return record ?? null;
  }

  /** Returns the id of the source with a root URI, which need not be registered. A moved source keeps its id. */
  async idOf(rootUri: string): Promise<string> {
    const registered = await this.findRegistered(rootUri);
    if (registered !== null) return registered.id;
    return freeIdOf(this.#sources, connectorId(this.#namespace, rootUri));
  }

  /** Returns all registered sources. */
  listSources(): Promise<readonly ConnectorRecord[]> {
    return this.#registered();
  }

  /** Returns all registered sources as wholes. */
  async listParts(): Promise<SourcePart[]> {
    return (await this.#registered()).map((record) => ({ record, path: '' }));
  }

  /** An application sees everything. */
  sees(): boolean {
    return true;
  }

  /**
   * Returns the URI under which a path is indexed, with links inside its source resolved. Null if the path is neither in a
   * registered source nor above one.
   */
  async findIndexedUri(uri: string): Promise<string | null> {
    const records = await this.#registered();
    const owner = ownerOf(records, uri);
    if (owner === null)
      return records.some(({ rootUri }) => relativePath(uri, rootUri) !== null) ? uri : null;
    if (owner.rootUri === uri) return uri;
    const [root, real] = await Promise.all([this.#realUri(owner.rootUri), this.#realUri(uri)]);
    const path = relativePath(root, real);
    return path === null ? uri : joinUri(owner.rootUri, path);
  }

  /** Returns the roots of other registered sources that contain a root or lie in it. Resolves links of local files. */
  async findOverlaps(rootUri: string): Promise<string[]> {
    const others = (await this.#registered()).filter(
      (record) => record.rootUri !== rootUri && record.status !== 'removing',
    );
    const roots = others.map((record) => record.rootUri);
    const [real, realRoots] = await Promise.all([
      this.#realUri(rootUri),
      this.#realRoots.of(roots),
    ]);
    return roots.filter((_, at) => doOverlap(real, realRoots[at] ?? ''));
  }

  /** Returns the canonical URI of a local path with links resolved. Other URIs stay unchanged. */
  async #realUri(uri: string): Promise<string> {
    const { scheme, path } = parseUri(uri);
    if (scheme !== 'file' || path === '' || (await this.canonicalUri(path)) !== uri) return uri;
    // Overlaps cause only a warning, so a disk that does not answer must not fail the request.
    return this.canonicalUri(await realPathOf(path).catch(() => path));
  }

  /** Returns the configuration of a source with its secrets redacted. */
  async redactConfig(record: ConnectorRecord): Promise<SourceConfig | null> {
    const plugin = await this.#registry.get('connector', record.type);
    return record.config && redactedConfig(plugin.configSchema, record.config);
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open.keys(), (id) => this.discard(id)));
    this.#idle.close();
  }

  async release(connector: GuardedConnector | Promise<GuardedConnector>): Promise<void> {
    const opened = await Promise.resolve(connector).catch(() => null);
    if (opened !== null) this.#idle.remove(opened);
    await opened
      ?.close()
      .catch((error: unknown) =>
        this.#logger.warn('closing a connector failed', { error: String(error) }),
      );
  }
}
