import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TroveError, type Plugin, type PluginKind, type PluginOf } from '@trove/core';
import { findNearest } from '../validation.js';
import type { PluginConfig } from './config.js';
import { checkPlugin, isPluginKind, pluginFor, pluginKinds } from './check-plugin.js';
import { importPlugins, installedPackages, resolvePackage } from './load-package.js';

/** Package names by plugin: `connector:file`. */
export type PluginPackages = Readonly<Partial<Record<`${PluginKind}:${string}`, string>>>;

/** Settings by plugin: `connector:slack` → `{ token: 'env:SLACK_TOKEN' }`. */
export type PluginConfigs = Readonly<Partial<Record<`${PluginKind}:${string}`, PluginConfig>>>;

export interface RegistryOptions {
  /** Plugin instances. They take precedence over packages. */
  readonly plugins?: readonly Plugin[];
  /** Packages that the operator configured. */
  readonly pluginPackages?: PluginPackages;
  /** Packages that ship with the application. */
  readonly builtinPackages?: PluginPackages;
  /**
   * Configurations by plugin. Values of a source or an option take precedence. The plugin's schema validates
   * them on use.
   */
  readonly pluginConfig?: PluginConfigs;
  /**
   * URLs or absolute paths of modules from which packages are resolved, in order. Default: the working
   * directory.
   */
  readonly appRoots?: readonly string[];
  /** The module from which `builtinPackages` are resolved. Default: `appRoots`. */
  readonly builtinRoot?: string;
}

/** A key and its package. */
export interface PluginPackage {
  readonly kind: PluginKind;
  readonly key: string;
  readonly package: string;
  /** Named by the operator, built in, or found by the naming convention. */
  readonly origin: 'named' | 'built-in' | 'installed';
  /** The resolved module, or null if the package is not installed. */
  readonly file: string | null;
}

/**
 * Finds the plugin for a key: first among instances, then in the operator's packages, the built-in ones, and by
 * the naming convention.
 */
export class PluginRegistry {
  readonly #instances: readonly Plugin[];
  readonly #named: PluginPackages;
  readonly #builtin: PluginPackages;
  readonly #config: PluginConfigs;
  readonly #appRoots: readonly string[];
  readonly #builtinRoots: readonly string[];
  readonly #installCommand: string;
  readonly #loaded = new Map<string, Promise<Plugin[]>>();
  /** Cache of resolved built-in packages, which do not move. Every request resolves them. */
  readonly #located = new Map<string, { readonly name: string; readonly file: string }>();

  constructor(options: RegistryOptions) {
    this.#instances = (options.plugins ?? []).map((plugin, position) =>
      checkPlugin(plugin, `plugins[${position}]`),
    );
    this.#named = options.pluginPackages ?? {};
    this.#builtin = options.builtinPackages ?? {};
    this.#config = options.pluginConfig ?? {};
    this.#appRoots = options.appRoots ?? [join(process.cwd(), 'package.json')];
    this.#builtinRoots = options.builtinRoot === undefined ? this.#appRoots : [options.builtinRoot];
    const [root] = options.appRoots ?? [];
    this.#installCommand =
      root === undefined ? 'npm install' : `npm install --prefix ${quoted(folderOf(root))}`;
  }

  /**
   * Loads the plugin for a key. Throws `not_available` with the install command, or one of the four `plugin_…`
   * errors.
   */
  async get<K extends PluginKind>(kind: K, key: string): Promise<PluginOf<K>> {
    const instance = pluginFor(this.#instances, kind, key);
    if (instance !== undefined) return instance;
    const found = this.#locate(kind, key);
    if (found === null) throw this.#notInstalled(kind, key);
    const plugin = pluginFor(await this.#load(found.name, found.file), kind, key);
    if (plugin !== undefined) return plugin;
    throw new TroveError('plugin_invalid', `${found.name} exports no ${kind} for \`${key}\``);
  }

  /** Like `get`, but returns null if no package is installed for the key. */
  async find<K extends PluginKind>(kind: K, key: string): Promise<PluginOf<K> | null> {
    const known =
      pluginFor(this.#instances, kind, key) !== undefined || this.#locate(kind, key) !== null;
    return known ? this.get(kind, key) : null;
  }

  /** Merges the operator's settings of a plugin with those of one use, which take precedence. */
  configOf(kind: PluginKind, key: string, given: PluginConfig | null | undefined): PluginConfig {
    return { ...this.#config[`${kind}:${key}`], ...given };
  }

  /** Returns all keys of a kind without importing plugins. */
  keys(kind: PluginKind): string[] {
    const keys = this.#instances
      .filter((plugin) => plugin.kind === kind)
      .flatMap((plugin) => plugin.keys);
    for (const id of [...Object.keys(this.#named), ...Object.keys(this.#builtin)]) {
      const [ofKind, key] = split(id);
      if (ofKind === kind && this.#isInstalled(kind, key)) keys.push(key);
    }
    const prefix = `trove-${kind}-`;
    const installed = installedPackages(prefix, this.#appRoots)
      .map((name) => name.slice(prefix.length))
      .filter((key) => this.#isInstalled(kind, key));
    return [...new Set([...keys, ...installed])].sort();
  }

  /** Returns all named, built-in and installed packages, even those that cannot be loaded. */
  packages(): PluginPackage[] {
    const ids = new Set([...Object.keys(this.#named), ...Object.keys(this.#builtin)]);
    for (const kind of pluginKinds) {
      const prefix = `trove-${kind}-`;
      for (const name of installedPackages(prefix, this.#appRoots))
        ids.add(`${kind}:${name.slice(prefix.length)}`);
    }
    return [...ids].sort().flatMap((id) => {
      const [kind, key] = split(id);
      const name = isPluginKind(kind) ? this.#packageOf(kind, key) : null;
      if (!isPluginKind(kind) || name === null) return [];
      return [
        { kind, key, package: name, origin: this.#originOf(id), file: this.#fileOf(kind, key) },
      ];
    });
  }

  #originOf(id: string): PluginPackage['origin'] {
    const isKnown = (packages: PluginPackages): boolean => Object.hasOwn(packages, id);
    if (isKnown(this.#named) && !this.#isNamedAsBuiltin(id)) return 'named';
    return isKnown(this.#builtin) ? 'built-in' : 'installed';
  }

  #isNamedAsBuiltin(id: string): boolean {
    return packageFor(this.#named, id) === packageFor(this.#builtin, id);
  }

  #fileOf(kind: PluginKind, key: string): string | null {
    try {
      return this.#locate(kind, key)?.file ?? null;
    } catch {
      return null;
    }
  }

  /** False also for a package that cannot be resolved. */
  #isInstalled(kind: PluginKind, key: string): boolean {
    try {
      return this.#locate(kind, key) !== null;
    } catch {
      return false;
    }
  }

  #locate(kind: PluginKind, key: string): { name: string; file: string } | null {
    const name = this.#packageOf(kind, key);
    if (name === null) return null;
    const id = `${kind}:${key}` as const;
    const isBuiltin = this.#named[id] === undefined && this.#builtin[id] === name;
    const known = this.#located.get(id);
    if (known !== undefined) return known;
    const file = resolvePackage(name, isBuiltin ? this.#builtinRoots : this.#appRoots);
    if (file === null) return null;
    if (isBuiltin) this.#located.set(id, { name, file });
    return { name, file };
  }

  /** Returns null if the key cannot be part of a package name. */
  #packageOf(kind: PluginKind, key: string): string | null {
    const listed = this.#named[`${kind}:${key}`] ?? this.#builtin[`${kind}:${key}`];
    if (listed !== undefined) return listed;
    return /^[a-z0-9][a-z0-9.-]{0,60}$/.test(key) ? `trove-${kind}-${key}` : null;
  }

  #load(name: string, file: string): Promise<Plugin[]> {
    let loading = this.#loaded.get(file);
    if (loading === undefined) {
      loading = importPlugins(name, pathToFileURL(file).href);
      this.#loaded.set(file, loading);
      loading.catch(() => this.#loaded.delete(file));
    }
    return loading;
  }

  /** Suggests installing a package only if it exists. */
  #notInstalled(kind: PluginKind, key: string): TroveError {
    const name = this.#packageOf(kind, key);
    const what = kind.replaceAll('-', ' ');
    const near = findNearest(key, this.keys(kind));
    const suggestions = near === null ? [] : [`Did you mean \`${near}\`?`];
    if (name === null) {
      suggestions.push(`\`${key}\` cannot be the key of a ${what}. Check the spelling.`);
    } else if (packageFor(this.#builtin, `${kind}:${key}`) === name) {
      suggestions.push(`${this.#installCommand} ${name}`);
    } else {
      suggestions.push(
        `Install its package. Trove looks for ${name}, or for the package that [plugins] in server.toml names for \`${key}\`.`,
      );
    }
    const places = [...new Set(this.#appRoots.map(folderOf))].join(', ');
    const looked = name === null ? '' : `. Looked for ${name} in ${places}`;
    return new TroveError('not_available', `No ${what} for \`${key}\` is installed${looked}`, {
      suggestions,
    });
  }
}

/** Looks up an id that need not have the form `kind:key`. */
function packageFor(packages: PluginPackages, id: string): string | undefined {
  return Object.entries(packages).find(([known]) => known === id)?.[1];
}

function split(id: string): [string, string] {
  const at = id.indexOf(':');
  return [id.slice(0, at), id.slice(at + 1)];
}

function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path);
}

function folderOf(root: string): string {
  return dirname(root.startsWith('file:') ? fileURLToPath(root) : root);
}
