import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  isErrorCode,
  isTroveError,
  messageOf,
  parseUri,
  TroveError,
  type JsonSchema,
} from '@trove/core';
import { stringify } from 'smol-toml';
import type { Engine, ListedPlugin, ListedSourceKind } from 'trove';
import { askConfig, type WizardConfig } from './ask-config.js';
import { askAddress, askSetup } from './ask-setup.js';
import { applyAssignments } from './assignments.js';
import { chooseMeaning, chooseSource, type ChosenSource } from './choose-source.js';
import { askExclusions, addExclusions, type EstimatedEntries } from './exclusions.js';
import { questionsOn } from './plugin-questions.js';
import { WizardCancelledError, type Prompts } from './prompts.js';

const estimateMs = 20_000;
const maxShownEntries = 10;
const maxOpenedFolders = 3;

export interface SourceWizardOptions {
  /** Null if no questions can be asked. */
  readonly prompts: Prompts | null;
  readonly connectors: readonly ListedPlugin[];
  readonly kinds: readonly ListedSourceKind[];
  readonly engine: Engine;
  /** Top-level entries that were excluded by options. */
  readonly excluded: readonly string[];
  readonly print: (line: string) => void;
}

/** The source to add, and the settings that follow from its address. */
export interface WizardTarget {
  readonly target: string;
  readonly config: WizardConfig;
}

/** A source that responded, and the configuration that worked. */
export interface TestedSource {
  /** The canonical URI. */
  readonly target: string;
  readonly config: WizardConfig;
  /** Whether the source is registered and its configuration will be replaced. */
  readonly replaces: boolean;
}

/** The steps of adding a source. */
export class SourceWizard {
  readonly #prompts: Prompts | null;
  readonly #connectors: readonly ListedPlugin[];
  readonly #kinds: readonly ListedSourceKind[];
  readonly #engine: Engine;
  readonly #excluded: readonly string[];
  readonly #print: (line: string) => void;
  /** Settings that are not asked for again. */
  #given: WizardConfig = {};

  constructor({ prompts, connectors, kinds, engine, excluded, print }: SourceWizardOptions) {
    this.#prompts = prompts;
    this.#connectors = connectors;
    this.#kinds = kinds;
    this.#engine = engine;
    this.#excluded = excluded;
    this.#print = print;
  }

  /** Returns the given path or URI, or asks for one. A scheme asks for the rest. Makes paths absolute. */
  async askTarget(given: string | undefined): Promise<WizardTarget> {
    const known = this.#connectors.find(({ key }) => key === given?.replace(/:\/*$/, ''));
    const isScheme = known !== undefined && !existsSync(resolve(known.key));
    const prompts = this.#prompts;
    if (given !== undefined && !isScheme) {
      const meant = prompts && (await chooseMeaning(prompts, this.#kinds, given));
      return prompts !== null && meant !== null
        ? this.#targetOf(prompts, meant)
        : { target: toAbsolute(given), config: {} };
    }
    if (prompts === null) {
      throw new TroveError('config_invalid', 'TARGET is missing, and questions need a terminal', {
        suggestions: ['Run trove-server connector add TARGET.'],
      });
    }
    const chosen =
      known === undefined
        ? await chooseSource(prompts, this.#usableKinds())
        : { scheme: known.key, address: null, recognised: null };
    return this.#targetOf(prompts, chosen);
  }

  /** Asks for the address unless it is known. */
  async #targetOf(
    prompts: Prompts,
    { scheme, address: given, recognised }: ChosenSource,
  ): Promise<WizardTarget> {
    if (recognised !== null && recognised.target !== null)
      return { target: toAbsolute(recognised.target), config: recognised.config };
    const setup = this.#connectors.find(({ key }) => key === scheme)?.setup ?? null;
    if (setup !== null) {
      const read = given === null ? '' : setup.address.read(given);
      const { address, config = {} } =
        typeof read === 'string' ? await askAddress(prompts, setup.address) : read;
      return { target: `${scheme}://${address}`, config: { ...recognised?.config, ...config } };
    }
    const question = scheme === 'file' ? 'Path of the folder or file' : `Address: ${scheme}://`;
    const text = await prompts.text(question, {
      check: (answer) => (answer.trim() === '' ? 'Enter a value' : undefined),
    });
    const isWhole = scheme === 'file' || text.startsWith(`${scheme}:`);
    return { target: toAbsolute(isWhole ? text : `${scheme}://${text}`), config: {} };
  }

  /** Returns the kinds whose connectors can be loaded. */
  #usableKinds(): ListedSourceKind[] {
    const usable = new Set(
      this.#connectors.flatMap(({ key, error }) => (error === null ? [key] : [])),
    );
    return this.#kinds.filter(({ schemes: [scheme = ''] }) => usable.has(scheme));
  }

  async askSettings(
    target: string,
    first: WizardConfig,
    assignments: readonly string[],
  ): Promise<WizardConfig> {
    const given = applyAssignments(first, assignments, this.#schemaOf(target));
    this.#given = given;
    if (this.#prompts === null) return given;
    const asks = this.#connectorOf(target)?.askConfig ?? null;
    // The connector asks for a whole configuration, so a given one has no questions.
    if (asks !== null && Object.keys(given).length > 0) return given;
    return this.#ask(this.#prompts, target, given);
  }

  /** Asks where to write a configuration that answers to questions have made. Returns null if it is not kept. */
  async askFile(target: string, isGiven: boolean): Promise<string | null> {
    if (this.#prompts === null || isGiven || !this.#connectorOf(target)?.askConfig) return null;
    const file = await this.#prompts.text('Write the configuration to a file (empty: no)', {
      initial: `${parseUri(target).authority}.toml`,
    });
    return file.trim() === '' ? null : file.trim();
  }

  /** Asks the questions of the connector, or for all settings. */
  #ask(prompts: Prompts, target: string, given: WizardConfig): Promise<WizardConfig> {
    const { signal } = new AbortController();
    const schema = this.#schemaOf(target);
    const { setup = null, askConfig: asks = null } = this.#connectorOf(target) ?? {};
    if (asks !== null) return asks(questionsOn(prompts), { target, signal });
    return setup === null
      ? askConfig(prompts, schema, given)
      : askSetup(prompts, setup, schema, given);
  }

  /** Tests the source until it works or, without prompts, once. Throws the error of the test. */
  async testSource(target: string, config: WizardConfig, update: boolean): Promise<TestedSource> {
    const prompts = this.#prompts;
    const result = await this.#probe(target, config);
    if (!(result instanceof TroveError)) return this.#accept(result.target, config, update);
    if (prompts === null) throw result;
    prompts.warn([result.detail, ...result.suggestions].join('\n'));
    const next = await prompts.choose('The source cannot be used with these settings.', [
      { value: 'again', label: 'try again' },
      { value: 'change', label: 'change the settings' },
      { value: 'leave', label: 'cancel' },
    ]);
    if (next === 'leave') throw new WizardCancelledError();
    const changed =
      next === 'again'
        ? config
        : await this.#ask(prompts, target, this.#isService(target) ? this.#given : config);
    return this.testSource(target, changed, update);
  }

  /** Prints the size of a working source and asks what to index. */
  async #accept(target: string, config: WizardConfig, update: boolean): Promise<TestedSource> {
    const replaces = await this.#confirmReplace(target, update);
    // Estimating the size of a web service takes many requests, which its limits count.
    const isSkipped =
      this.#isService(target) && this.#prompts !== null && this.#excluded.length === 0;
    const found = isSkipped ? [] : await this.#printSize(target, config);
    const excluded = await this.#askExcluded(found);
    const limited = addExclusions(config, excluded, found);
    if (excluded.length > 0) this.#print(`Not indexed: ${excluded.join(', ')}`);
    return { target, config: limited, replaces };
  }

  async register({ target, config, replaces }: TestedSource): Promise<void> {
    const prompts = this.#prompts;
    if (prompts !== null && !(await prompts.confirm('Register and index the source?')))
      throw new WizardCancelledError();
    if (replaces) await this.#showReplaced(target);
    const { job_id: job, warnings } = await this.#engine.add({ target, config, update: replaces });
    for (const warning of warnings ?? []) this.#print(`warning: ${warning}`);
    this.#print(`Registered ${target}. Job ${job} is queued.`);
    await this.#showEntries(target);
    this.#print('A running server starts indexing now. Otherwise start one: trove serve start');
    this.#print(`Then search it: trove search "WORDS" ${quoteForShell(target)}`);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /** Returns an empty schema for a scheme without a connector. Testing the source then explains the problem. */
  #schemaOf(target: string): JsonSchema {
    return this.#connectorOf(target)?.configSchema ?? {};
  }

  /** Whether the connector has questions of its own. */
  #isService(target: string): boolean {
    return (this.#connectorOf(target)?.setup ?? null) !== null;
  }

  #connectorOf(target: string): ListedPlugin | undefined {
    const scheme = schemeOf(target);
    return this.#connectors.find(({ key }) => key === scheme);
  }

  /** Returns the canonical target of a source that can be reached, else the error. */
  async #probe(target: string, config: WizardConfig): Promise<{ target: string } | TroveError> {
    try {
      const probed = await this.#engine.probe({ target, config });
      if (!probed.ok && probed.code !== 'rate_limited') {
        const code = isErrorCode(probed.code) ? probed.code : 'connector_unhealthy';
        return new TroveError(code, probed.detail, { suggestions: [] });
      }
      this.#print(`${probed.target}: ${probed.detail}`);
      return probed;
    } catch (error) {
      if (!isTroveError(error)) throw error;
      return error.code === 'config_invalid' ? toSettingsError(error) : error;
    }
  }

  async #confirmReplace(target: string, update: boolean): Promise<boolean> {
    const { connectors } = await this.#engine.status();
    if (!connectors.some(({ root_uri: root }) => root === target)) return false;
    if (update) return true;
    if (this.#prompts === null) {
      throw new TroveError('connector_already_registered', `${target} is already registered`, {
        suggestions: ['Replace its configuration with --update, or sync it with `trove add`.'],
      });
    }
    const question = 'This source is already registered. Replace its configuration?';
    if (await this.#prompts.confirm(question, false)) return true;
    throw new WizardCancelledError();
  }

  /** Returns the entries excluded by options or, on a terminal, by choice. */
  async #askExcluded(found: EstimatedEntries): Promise<readonly string[]> {
    if (this.#excluded.length > 0 || this.#prompts === null) return this.#excluded;
    return askExclusions(this.#prompts, found);
  }

  /** Prints the estimated size and returns the top-level entries. */
  async #printSize(target: string, config: WizardConfig): Promise<EstimatedEntries> {
    try {
      const signal = AbortSignal.timeout(estimateMs);
      const found = await this.#engine.estimate({ target, config }, { signal });
      const tokens = found.est_tokens.toLocaleString('en');
      this.#print(
        `${found.complete ? '' : 'At least '}${found.objects.toLocaleString('en')} objects, about ${found.est_chunks.toLocaleString('en')} chunks of ${tokens} tokens in all`,
      );
      return found.top_level;
    } catch (error) {
      const reason = messageOf(error);
      this.#print(`The size of the source could not be estimated: ${reason}`);
      return [];
    }
  }

  async #showReplaced(target: string): Promise<void> {
    const { config } = await this.#engine.inspect({ target });
    this.#print(`Previous configuration:\n${stringify(config ?? {})}`);
  }

  async #showEntries(target: string): Promise<void> {
    const names = await this.#namesIn(target);
    // Some sources cannot be listed before their first sync.
    if (names.length === 0) return;
    const more =
      names.length > maxShownEntries ? `, and ${names.length - maxShownEntries} more` : '';
    this.#print(`Contents: ${names.slice(0, maxShownEntries).join(', ')}${more}`);
  }

  /**
   * Returns the names in a folder. Descends into a single subfolder, because a database has its tables in
   * `main` or `public`.
   */
  async #namesIn(path: string, folders: readonly string[] = []): Promise<string[]> {
    const { entries } = await this.#engine.ls({ path });
    const [only, ...others] = entries;
    const isOnly = only?.type === 'dir' && others.length === 0 && folders.length < maxOpenedFolders;
    const inside =
      isOnly && only.path !== null
        ? await this.#namesIn(only.path, [...folders, only.name]).catch(() => [])
        : [];
    if (inside.length > 0) return inside;
    return entries.map(({ name, type }) =>
      [...folders, type === 'dir' ? `${name}/` : name].join('/'),
    );
  }
}

/** Replaces the suggestions of the API, which do not apply to a command line. */
function toSettingsError({ code, detail, suggestions }: TroveError): TroveError {
  const near = suggestions.filter((text) => text.startsWith('Did you mean'));
  const how =
    'Set options with --set NAME=VALUE or --from FILE, or answer the questions on a terminal.';
  return new TroveError(code, detail, { suggestions: [...near, how] });
}

function toAbsolute(target: string): string {
  return schemeOf(target) === 'file' && !target.startsWith('file:')
    ? resolve(target.replace(/^~(?=\/|$)/, homedir()))
    : target;
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function schemeOf(target: string): string {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(target)?.[1]?.toLowerCase() ?? 'file';
}
