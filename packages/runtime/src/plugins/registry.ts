import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TroveError, type Plugin, type PluginKind, type PluginOf } from '@trove/core';
import { findNearest } from '../validation.js';
import type { PluginConfig } from './config.js';
import { checkPlugin, isPluginKind, pluginFor, pluginKinds } from './check-plugin.js';
import { importPlugins, installedPackages, resolvePackage } from './load-package.js';

/** Where to find a plugin that is not given as an instance: `connector:file` → package name. */
export type PluginPackages = Readonly<Partial<Record<`${PluginKind}:${string}`, string>>>;

/** Settings of plugins of any author, by key: `connector:slack` → `{ token: 'env:SLACK_TOKEN' }`. */
export type PluginConfigs = Readonly<Partial<Record<`${PluginKind}:${string}`, PluginConfig>>>;

export interface RegistryOptions {
  /** Plugin instances; they take precedence over packages. */
  readonly plugins?: readonly Plugin[];
  /** Packages by key, as configured by the operator. */
  readonly pluginPackages?: PluginPackages;
  /** Packages by key that ship with the application. */
  readonly builtinPackages?: PluginPackages;
  /**
   * The configuration of every use of a plugin, validated by the plugin's own schema on use. Values that a source or an
   * option sets itself take precedence.
   */
  readonly pluginConfig?: PluginConfigs;
  /** URLs or absolute paths of modules from which packages are resolved, in order; default: the working directory. */
  readonly appRoots?: readonly string[];
  /** Where the packages of `builtinPackages` are resolved from; default: `appRoots`. */
  readonly builtinRoot?: string;
}

/** A key, and the package that would serve it. */
export interface PluginPackage {
  readonly kind: PluginKind;
  readonly key: string;
  readonly package: string;
  /** Named by the operator, built in, or found by its name. */
  readonly origin: 'named' | 'built-in' | 'installed';
  /** The module that would be imported; null when there is none. */
  readonly file: string | null;
}

/** Finds the plugin for a key: instances, the operator's map, the built-in table, then the naming convention. */
export class PluginRegistry {
  readonly #instances: readonly Plugin[];
  readonly #named: PluginPackages;
  readonly #builtin: PluginPackages;
  readonly #config: PluginConfigs;
  readonly #appRoots: readonly string[];
  readonly #builtinRoots: readonly string[];
  readonly #installCommand: string;
  readonly #loaded = new Map<string, Promise<Plugin[]>>();
  /** Built-in packages that were found: they stay where they are, and are looked for with every request. */
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

  /** Throws `not_available` with the install command, or one of the four `plugin_…` errors. */
  async get<K extends PluginKind>(kind: K, key: string): Promise<PluginOf<K>> {
    const instance = pluginFor(this.#instances, kind, key);
    if (instance !== undefined) return instance;
    const found = this.#locate(kind, key);
    if (found === null) throw this.#notInstalled(kind, key);
    const plugin = pluginFor(await this.#load(found.name, found.file), kind, key);
    if (plugin !== undefined) return plugin;
    throw new TroveError('plugin_invalid', `${found.name} exports no ${kind} for \`${key}\``);
  }

  /** The same, but null when no package is installed for the key. */
  async find<K extends PluginKind>(kind: K, key: string): Promise<PluginOf<K> | null> {
    const known =
      pluginFor(this.#instances, kind, key) !== undefined || this.#locate(kind, key) !== null;
    return known ? this.get(kind, key) : null;
  }

  /** A plugin's configuration: the operator's settings, overridden by those of this use. */
  configOf(kind: PluginKind, key: string, given: PluginConfig | null | undefined): PluginConfig {
    return { ...this.#config[`${kind}:${key}`], ...given };
  }

  /** The keys of a kind that can be listed without importing anything. */
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

  /** Every key that a package is named for, built in for or installed for, whether or not that can be loaded. */
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
    return builtinOf(this.#named, id) === builtinOf(this.#builtin, id);
  }

  #fileOf(kind: PluginKind, key: string): string | null {
    try {
      return this.#locate(kind, key)?.file ?? null;
    } catch {
      return null;
    }
  }

  /** A package that cannot be loaded serves nothing. */
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

  /** Null: the key cannot be part of a package name. */
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

  /** Suggests installing a package only if it is known to exist. */
  #notInstalled(kind: PluginKind, key: string): TroveError {
    const name = this.#packageOf(kind, key);
    const what = kind.replaceAll('-', ' ');
    const near = findNearest(key, this.keys(kind));
    const suggestions = near === null ? [] : [`Did you mean \`${near}\`?`];
    if (name === null) {
      suggestions.push(`\`${key}\` cannot name a ${what}; check its spelling.`);
    } else if (builtinOf(this.#builtin, `${kind}:${key}`) === name) {
      suggestions.push(`${this.#installCommand} ${name}`);
    } else {
      suggestions.push(
        `If there is a package for it, install it: it is found as ${name}, or under the name that [plugins] of server.toml gives for \`${key}\`.`,
      );
    }
    const places = [...new Set(this.#appRoots.map(folderOf))].join(', ');
    const looked = name === null ? '' : `; ${name} was looked for from ${places}`;
    return new TroveError('not_available', `No ${what} for \`${key}\` is installed${looked}`, {
      suggestions,
    });
  }
}

function builtinOf(packages: PluginPackages, id: string): string | undefined {
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
