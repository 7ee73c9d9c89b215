import { inject, injectable, createToken } from '@trove/core/di';
import { describeError, isTroveError, messageOf, TroveError, type Infer } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import { ConnectorsToken, type Connectors, type Target } from '../connectors/connectors.js';
import type { SourceConfig } from '../schedules/sync-settings.js';
import type {
  ApplySourcesResponse,
  applySourcesRequestSchema,
  ExportSourcesResponse,
} from '../../api/schemas.js';
import { differingKeys, isRecord, restoreHidden } from './config-difference.js';
import { RegistrationToken, type Registration } from './registration.js';
import { RemovalToken, type Removal } from './removal.js';
import type { SyncPermission } from './sync-permission.js';

/** How exports show a secret in plain text. */
const hidden = '***';
/** A hidden secret, alone or in a URL. */
const hiddenPattern = /^\*{3}$|:\/\/\*{3}@|=\*{3}/;

type Change = ApplySourcesResponse['changes'][number];
type Definition = Infer<typeof applySourcesRequestSchema>['sources'][number];

/** A desired source with its stored form. */
interface DesiredSource {
  readonly target: Target;
  readonly config: SourceConfig | null;
  readonly known: ConnectorRecord | null;
  readonly keys: readonly string[];
}

/** The token of `SourceDefinitions` in an engine's container. */
export const SourceDefinitionsToken = createToken<SourceDefinitions>('engine.source_definitions');

/** Exports the definitions of all sources, and makes the sources equal to definitions. */
@injectable()
export class SourceDefinitions {
  readonly #connectors: Connectors;
  readonly #registration: Registration;
  readonly #removal: Removal;

  constructor(
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(RegistrationToken) registration: Registration,
    @inject(RemovalToken) removal: Removal,
  ) {
    this.#connectors = connectors;
    this.#registration = registration;
    this.#removal = removal;
  }

  async export(): Promise<ExportSourcesResponse> {
    const sources = [];
    for (const record of await this.#definable()) {
      const config = await this.#connectors.redactConfig(record);
      sources.push({ target: record.rootUri, config: config === null ? null : { ...config } });
    }
    return { sources };
  }

  /** Makes one change after the other. A change that fails does not prevent others. */
  async apply(
    { sources, prune, dry_run: isDryRun }: Infer<typeof applySourcesRequestSchema>,
    signal: AbortSignal,
    permission: SyncPermission,
  ): Promise<ApplySourcesResponse> {
    const changes: Change[] = [];
    const desired = await this.#byTarget(sources);
    for (const [target, definition] of desired) {
      signal.throwIfAborted();
      changes.push(await this.#applyOne(target, definition, isDryRun, signal, permission));
    }
    if (prune)
      for (const { rootUri: target } of await this.#definable()) {
        signal.throwIfAborted();
        if (!desired.has(target)) changes.push(await this.#remove(target, isDryRun));
      }
    return { dry_run: isDryRun, changes };
  }

  /** Returns the definitions by canonical URI. Throws `validation_error` before anything is changed. */
  async #byTarget(definitions: readonly Definition[]): Promise<Map<string, Definition>> {
    const byTarget = new Map<string, Definition>();
    for (const definition of definitions) {
      const target = await this.#connectors.canonicalUri(definition.target, 'target');
      if (byTarget.has(target))
        throw new TroveError('validation_error', `sources: ${target} is defined twice`);
      byTarget.set(target, definition);
    }
    return byTarget;
  }

  /** Returns the sources that a definition can describe. The files of others exist only on the server. */
  async #definable(): Promise<ConnectorRecord[]> {
    const records = await this.#connectors.listSources();
    return records.filter(({ tree, status }) => tree === null && status !== 'removing');
  }

  async #applyOne(
    target: string,
    definition: Definition,
    isDryRun: boolean,
    signal: AbortSignal,
    permission: SyncPermission,
  ): Promise<Change> {
    let change: Change = { target, action: 'add', keys: [], ...unchanged };
    try {
      const desired = await this.#resolve(definition);
      const { known, keys, config } = desired;
      if (known !== null) change = { ...change, action: keys.length === 0 ? 'none' : 'update' };
      change = { ...change, keys: [...keys] };
      if (change.action === 'none') return change;
      await this.#assertValid(desired);
      if (isDryRun) return change;
      const { job_id } = await this.#registration.add(
        {
          target,
          config,
          schedule: null,
          full: false,
          since: null,
          paths: null,
          process: false,
          update: true,
        },
        signal,
        permission,
      );
      return { ...change, job_id };
    } catch (error) {
      signal.throwIfAborted();
      if (await this.#isApplied(definition, error)) return change;
      return { ...change, ...failureOf(error) };
    }
  }

  /** Whether the running sync of a source only prevented another one, because a schedule changes without a sync. */
  async #isApplied(definition: Definition, error: unknown): Promise<boolean> {
    if (!isTroveError(error) || error.code !== 'sync_already_running') return false;
    return (await this.#resolve(definition)).keys.length === 0;
  }

  async #resolve(definition: Definition): Promise<DesiredSource> {
    const target = await this.#connectors.resolveTarget(definition.target);
    const known = await this.#connectors.findRegistered(target.rootUri);
    if (known === null) {
      const keys = Object.keys(definition.config ?? {}).sort();
      return { target, config: definition.config, known, keys };
    }
    if (known.tree !== null)
      throw new TroveError('not_supported', `${target.rootUri} was uploaded.`);
    const shown = await this.#connectors.redactConfig(known);
    const restored = restoreHidden(definition.config ?? {}, shown ?? {}, known.config ?? {});
    const config = isRecord(restored) ? restored : null;
    return { target, config, known, keys: differingKeys(config, known.config) };
  }

  /** Opens the source without a request to it. */
  async #assertValid({ target, config }: DesiredSource): Promise<void> {
    const place = findHidden(config);
    if (place !== null) {
      throw new TroveError('config_invalid', `config.${place} is ${hidden}, which hides a secret`, {
        suggestions: ['Write a reference instead: "env:NAME" or "file:/path".'],
      });
    }
    const options = { config, tree: null, isTemporary: true };
    await this.#connectors.release(await this.#connectors.create(target, options));
  }

  async #remove(target: string, isDryRun: boolean): Promise<Change> {
    const change: Change = { target, action: 'remove', keys: [], ...unchanged };
    if (isDryRun) return change;
    try {
      await this.#removal.remove({ target });
      return change;
    } catch (error) {
      return { ...change, ...failureOf(error) };
    }
  }
}

const unchanged = { job_id: null, error: null, detail: null };

function failureOf(error: unknown): Pick<Change, 'error' | 'detail'> {
  if (!isTroveError(error)) return { error: 'internal_error', detail: messageOf(error) };
  return { error: error.publicCode, detail: describeError(error) };
}

/** Returns the path of a hidden value, or null. */
function findHidden(value: unknown): string | null {
  if (typeof value === 'string') return hiddenPattern.test(value) ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    // Globs of rules may contain asterisks.
    if (key === 'objects') continue;
    const found = findHidden(item);
    if (found !== null) return found === '' ? key : `${key}.${found}`;
  }
  return null;
}
