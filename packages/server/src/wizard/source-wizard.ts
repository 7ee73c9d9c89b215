import { resolve } from 'node:path';
import { isTroveError, messageOf, TroveError, type JsonSchema } from '@trove/core';
import { stringify } from 'smol-toml';
import type { Engine, ListedPlugin } from 'trove';
import { askConfig } from './ask-config.js';
import { applyAssignments } from './assignments.js';
import { askExclusions, addExclusions, type EstimatedEntries } from './exclusions.js';
import { WizardCancelledError, type Prompts } from './prompts.js';

type WizardConfig = Readonly<Record<string, unknown>>;

const estimateMs = 20_000;
const maxShownEntries = 10;
const maxOpenedFolders = 3;

export interface SourceWizardOptions {
  /** Null: nobody can be asked. */
  readonly prompts: Prompts | null;
  readonly connectors: readonly ListedPlugin[];
  readonly engine: Engine;
  /** What is at the top of the source and not to be indexed, if it was said beforehand. */
  readonly excluded: readonly string[];
  readonly print: (line: string) => void;
}

/** A source that answered, and with what. */
export interface TriedSource {
  /** Canonical. */
  readonly target: string;
  readonly config: WizardConfig;
  /** It is registered, and gets this configuration instead of its own. */
  readonly replaces: boolean;
}

/** The steps of setting up a source. */
export class SourceWizard {
  readonly #prompts: Prompts | null;
  readonly #connectors: readonly ListedPlugin[];
  readonly #engine: Engine;
  readonly #leaveOut: readonly string[];
  readonly #print: (line: string) => void;

  constructor({ prompts, connectors, engine, excluded: leaveOut, print }: SourceWizardOptions) {
    this.#prompts = prompts;
    this.#connectors = connectors;
    this.#engine = engine;
    this.#leaveOut = leaveOut;
    this.#print = print;
  }

  /** The path or URI as given, or asked for; a path is made absolute. */
  async askTarget(given: string | undefined): Promise<string> {
    if (given !== undefined) return toAbsolute(given);
    const prompts = this.#prompts;
    if (prompts === null) {
      throw new TroveError(
        'config_invalid',
        'TARGET is missing, and there is no terminal to ask on',
        { suggestions: ['Name it: trove-server connector add TARGET'] },
      );
    }
    const usable = this.#connectors.filter(({ error }) => error === null);
    const scheme = await prompts.choose(
      'What kind of source?',
      usable.map(({ key, package: name }) => ({ value: key, hint: name })),
    );
    const question = scheme === 'file' ? 'Path of the folder or file' : `Its address: ${scheme}://`;
    const text = await prompts.text(question, {
      check: (answer) => (answer.trim() === '' ? 'It needs one' : undefined),
    });
    const isWhole = scheme === 'file' || text.startsWith(`${scheme}:`);
    return toAbsolute(isWhole ? text : `${scheme}://${text}`);
  }

  async askSettings(
    target: string,
    first: WizardConfig,
    assignments: readonly string[],
  ): Promise<WizardConfig> {
    const schema = this.#schemaOf(target);
    const given = applyAssignments(first, assignments, schema);
    return this.#prompts === null ? given : askConfig(this.#prompts, schema, given);
  }

  /** Tries the source until it answers or, where nobody can be asked, once. Throws why it does not. */
  async trySource(target: string, config: WizardConfig, update: boolean): Promise<TriedSource> {
    const prompts = this.#prompts;
    const problem = await this.#problemOf(target, config);
    if (!(problem instanceof TroveError)) {
      const replaces = await this.#replaces(problem.target, update);
      const found = await this.#size(problem.target, config);
      const left = await this.#leftOut(found);
      const chosen = addExclusions(config, left, found);
      if (left.length > 0) this.#print(`Left out: ${left.join(', ')}`);
      return { target: problem.target, config: chosen, replaces };
    }
    if (prompts === null) throw problem;
    prompts.warn([problem.detail, ...problem.suggestions].join('\n'));
    const next = await prompts.choose('It cannot be used like this.', [
      { value: 'again', label: 'try again' },
      { value: 'change', label: 'change its settings' },
      { value: 'leave', label: 'leave' },
    ]);
    if (next === 'leave') throw new WizardCancelledError();
    const changed =
      next === 'again' ? config : await askConfig(prompts, this.#schemaOf(target), config);
    return this.trySource(target, changed, update);
  }

  async register({ target, config, replaces }: TriedSource): Promise<void> {
    const prompts = this.#prompts;
    if (prompts !== null && !(await prompts.confirm('Register it, and have it indexed?')))
      throw new WizardCancelledError();
    if (replaces) await this.#showReplaced(target);
    const { job_id: job, warnings } = await this.#engine.add({ target, config, update: replaces });
    for (const warning of warnings ?? []) this.#print(`warning: ${warning}`);
    this.#print(`Registered ${target}; job ${job} is queued.`);
    await this.#showEntries(target);
    this.#print('A running server begins at once, any other when it starts: trove serve start');
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /** Unknown for a scheme without a connector, which trying it explains. */
  #schemaOf(target: string): JsonSchema {
    const scheme = schemeOf(target);
    return this.#connectors.find(({ key }) => key === scheme)?.configSchema ?? {};
  }

  async #problemOf(target: string, config: WizardConfig): Promise<{ target: string } | TroveError> {
    try {
      const probed = await this.#engine.probe({ target, config });
      if (!probed.ok)
        return new TroveError('connector_unhealthy', probed.detail, { suggestions: [] });
      this.#print(`${probed.target}: ${probed.detail}`);
      return probed;
    } catch (error) {
      if (!isTroveError(error)) throw error;
      return error.code === 'config_invalid' ? toSettingsError(error) : error;
    }
  }

  async #replaces(target: string, update: boolean): Promise<boolean> {
    const { connectors } = await this.#engine.status();
    if (!connectors.some(({ root_uri: root }) => root === target)) return false;
    if (update) return true;
    if (this.#prompts === null) {
      throw new TroveError('connector_already_registered', `${target} is registered already`, {
        suggestions: ['Replace its configuration with --update, or sync it with `trove add`.'],
      });
    }
    const question = 'This source is registered already. Replace its configuration?';
    if (await this.#prompts.confirm(question, false)) return true;
    throw new WizardCancelledError();
  }

  /** By flags or, on a terminal, by choosing. */
  async #leftOut(found: EstimatedEntries): Promise<readonly string[]> {
    if (this.#leaveOut.length > 0 || this.#prompts === null) return this.#leaveOut;
    return askExclusions(this.#prompts, found);
  }

  /** Says how much it holds; what is at its top. */
  async #size(target: string, config: WizardConfig): Promise<EstimatedEntries> {
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
      this.#print(`How much it holds could not be estimated: ${reason}`);
      return [];
    }
  }

  async #showReplaced(target: string): Promise<void> {
    const { config } = await this.#engine.inspect({ target });
    this.#print(`The configuration before:\n${stringify(config ?? {})}`);
  }

  async #showEntries(target: string): Promise<void> {
    const names = await this.#namesIn(target);
    // A source that only syncs list is shown as they met it.
    if (names.length === 0) return;
    const more =
      names.length > maxShownEntries ? `, and ${names.length - maxShownEntries} more` : '';
    this.#print(`It holds ${names.slice(0, maxShownEntries).join(', ')}${more}`);
  }

  /** What is in a folder; in place of its only folder, what is in that: a database has its tables in `main` or `public`. */
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

/** What the API advises does not help on a command line. */
function toSettingsError({ code, detail, suggestions }: TroveError): TroveError {
  const near = suggestions.filter((text) => text.startsWith('Did you mean'));
  const how =
    'Give settings with --set NAME=VALUE or --from FILE, or answer the questions on a terminal.';
  return new TroveError(code, detail, { suggestions: [...near, how] });
}

function toAbsolute(target: string): string {
  return schemeOf(target) === 'file' && !target.startsWith('file:') ? resolve(target) : target;
}

function schemeOf(target: string): string {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(target)?.[1]?.toLowerCase() ?? 'file';
}
