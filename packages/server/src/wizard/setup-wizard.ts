import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isTroveError, TroveError, type JsonSchema } from '@trove/core';
import {
  checkPlugins,
  installedPlugins,
  openTrove,
  resolveSettings,
  settingKeys,
  settingsSchema,
  type ResolvedSettings,
} from 'trove';
import { resolveToken } from '../auth/auth.js';
import { parseBind } from '../config/bind.js';
import { version } from '../version.js';
import { askConfig, askSecret, type WizardConfig } from './ask-config.js';
import { applyAssignments } from './assignments.js';
import { WizardCancelledError, type Prompts } from './prompts.js';

const authSection = 'auth';
/** The settings that select a plugin, and the kind of the plugin. */
const pluginKeys = {
  metadata: { key: 'backend', kind: 'metadata-store' },
  embedding: { key: 'provider', kind: 'embedder' },
} as const;

export interface SetupWizardOptions {
  /** Null if no questions can be asked. */
  readonly prompts: Prompts | null;
  readonly home: string;
  /** Modules from which plugin packages are resolved. */
  readonly roots: readonly string[];
  readonly print: (line: string) => void;
}

/** The steps of writing server.toml. */
export class SetupWizard {
  readonly #prompts: Prompts | null;
  readonly #home: string;
  readonly #roots: readonly string[];
  readonly #print: (line: string) => void;

  constructor({ prompts, home, roots, print }: SetupWizardOptions) {
    this.#prompts = prompts;
    this.#home = home;
    this.#roots = roots;
    this.#print = print;
  }

  /**
   * Returns the content of the file after assignments and answers. Throws `config_invalid` or the error of a service if
   * the settings do not work and no questions can be asked.
   */
  async collectSettings(
    oldContent: WizardConfig,
    sections: readonly string[],
    assignments: readonly string[],
    isTested: boolean,
  ): Promise<WizardConfig> {
    const assigned = applyAuthMode(applyAssignments(oldContent, assignments, settingsSchema));
    const prompts = this.#prompts;
    if (prompts === null) {
      await this.#check(assigned, isTested);
      return assigned;
    }
    const hasQuestions = assignments.length === 0 || sections.length > 0;
    let content = hasQuestions ? await this.#askSections(prompts, assigned, sections) : assigned;
    for (;;) {
      const problem = await this.#problemOf(content, isTested);
      if (problem === null) return content;
      prompts.warn([problem.detail, ...problem.suggestions].join('\n'));
      if (!(await prompts.confirm('These settings do not work. Change them?')))
        throw new WizardCancelledError();
      content = await this.#askSections(prompts, content, sections);
    }
  }

  /** Prints the changes without secrets. Returns false if there are none. */
  showChanges(before: WizardConfig, after: WizardConfig): boolean {
    const changed = settingKeys.flatMap(({ section, key, name, schema }) => {
      const [old, now] = [valueAt(before, section, key), valueAt(after, section, key)];
      if (isDeepStrictEqual(old, now)) return [];
      const isSecret = schema.writeOnly === true;
      return [`${name}: ${shown(old, isSecret)} → ${shown(now, isSecret)}`];
    });
    // Plugin settings are not listed by name, because some are secrets.
    const ofPlugins = ['plugins', 'plugin_config'].flatMap((name) =>
      isDeepStrictEqual(plain(before[name] ?? {}), plain(after[name] ?? {}))
        ? []
        : [`[${name}] changes`],
    );
    const lines = [...changed, ...ofPlugins];
    for (const line of lines) this.#print(line);
    if (lines.length === 0) this.#print('No changes.');
    return lines.length > 0;
  }

  async #askSections(
    prompts: Prompts,
    content: WizardConfig,
    given: readonly string[],
  ): Promise<WizardConfig> {
    const sections =
      given.length > 0
        ? given
        : await prompts.several(
            'Which settings do you want to change? (space selects, enter continues)',
            sectionNames.map((name) => ({ value: name, hint: describe(name) })),
          );
    let result = content;
    for (const name of sections) {
      result =
        name === authSection
          ? await askAuth(prompts, result)
          : { ...result, [name]: await this.#askSection(prompts, result, name) };
    }
    return result;
  }

  async #askSection(prompts: Prompts, content: WizardConfig, name: string): Promise<WizardConfig> {
    prompts.say(`[${name}] ${describe(name)}`);
    const schema = await this.#withChoices(content, name, schemaOf(name));
    const now = content[name];
    return askConfig(prompts, schema, typeof now === 'object' && now !== null ? { ...now } : {});
  }

  /** Returns the schema of a section in which the installed plugins are the choices. */
  async #withChoices(content: WizardConfig, name: string, schema: JsonSchema): Promise<JsonSchema> {
    const plugin = Object.entries(pluginKeys).find(([section]) => section === name)?.[1];
    const property = plugin && schema.properties?.[plugin.key];
    if (plugin === undefined || property === undefined) return schema;
    const settings = this.#resolved({ plugins: content['plugins'] ?? {} });
    const found = await installedPlugins(settings, this.#roots, plugin.kind);
    const keys = found.filter(({ error }) => error === null).map(({ key }) => key);
    const properties = { ...schema.properties, [plugin.key]: { ...property, enum: keys } };
    return { ...schema, properties };
  }

  async #problemOf(content: WizardConfig, isTested: boolean): Promise<TroveError | null> {
    try {
      await this.#check(content, isTested);
      return null;
    } catch (error) {
      if (isTroveError(error)) return error;
      throw error;
    }
  }

  async #check(content: WizardConfig, isTested: boolean): Promise<void> {
    const settings = this.#resolved(content);
    const plugins = await checkPlugins(settings, this.#roots);
    const unusable = plugins.find(({ error }) => error !== null)?.error;
    if (unusable !== undefined && unusable !== null) throw unusable;
    parseBind(settings.server.bind);
    if (!isTested) return;
    await resolveToken(settings.auth_token);
    // A new index would be bound to an embedder before the user has decided. An existing index would test its
    // own embedder instead of the chosen one.
    const indexExists = existsSync(settings.index.uri);
    const scratch = await mkdtemp(join(tmpdir(), 'trove-setup-'));
    try {
      if (indexExists) await this.#testServices(settings);
      const isolated = indexExists ? { ...content, metadata: {}, index: {} } : content;
      await this.#testServices(this.#resolved(isolated, scratch));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Opens all services and embeds a query. */
  async #testServices(settings: ResolvedSettings): Promise<void> {
    const engine = await openTrove(settings, { version, appRoots: this.#roots });
    try {
      await engine.search({ q: 'trove', mode: 'semantic', top_k: 1 });
    } finally {
      await engine.close();
    }
  }

  #resolved(content: WizardConfig, home = this.#home): ResolvedSettings {
    return resolveSettings(content, { home });
  }
}

const sectionNames: readonly string[] = [
  authSection,
  ...Object.entries<JsonSchema>(settingsSchema.properties).flatMap(([name, { properties = {} }]) =>
    Object.values(properties).some(({ type }) => type !== 'object') ? [name] : [],
  ),
];

/** Throws `config_invalid` for a section that cannot be set up. */
export function assertSection(name: string): void {
  if (sectionNames.includes(name)) return;
  throw new TroveError('config_invalid', `The section ${name} does not exist`, {
    suggestions: [`Use one of ${sectionNames.join(', ')}.`],
  });
}

function schemaOf(name: string): JsonSchema {
  const found = Object.entries<JsonSchema>(settingsSchema.properties).find(([key]) => key === name);
  return found?.[1] ?? {};
}

function describe(name: string): string {
  return name === authSection ? 'Who may call the server.' : (schemaOf(name).description ?? '');
}

async function askAuth(prompts: Prompts, content: WizardConfig): Promise<WizardConfig> {
  const mode = await prompts.choose('Who may call the server?', [
    { value: 'auto', label: 'callers with a generated token', hint: 'stored in the home' },
    { value: 'known', label: 'callers with your own token', hint: 'several servers can share it' },
    { value: 'open', label: 'everyone', hint: 'only on isolated networks' },
  ]);
  const token = mode === 'known' ? await askSecret(prompts, 'The token') : mode;
  return applyAuthMode({ ...content, auth_token: token });
}

/** Replaces `auto` and `open` by the values in server.toml, which are an empty text and `-`. */
function applyAuthMode(content: WizardConfig): WizardConfig {
  const modes: ReadonlyMap<unknown, string> = new Map([
    ['auto', ''],
    ['open', '-'],
  ]);
  const token = modes.get(content['auth_token']);
  return token === undefined ? content : { ...content, auth_token: token };
}

function valueAt(content: WizardConfig, section: string | null, key: string): unknown {
  if (section === null) return content[key];
  const table = content[section];
  return typeof table === 'object' && table !== null ? Reflect.get(table, key) : undefined;
}

function shown(value: unknown, isSecret: boolean): string {
  if (value === undefined) return 'default';
  const isReference = typeof value === 'string' && /^(env:|file:|-?$)/.test(value);
  return isSecret && !isReference ? '***' : JSON.stringify(value);
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
