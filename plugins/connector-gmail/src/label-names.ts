import type { HttpService } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

/** The names of the labels of a mailbox, requested on first use. */
export class LabelNames {
  readonly #http: HttpService;
  readonly #root: string;
  #names: Promise<ReadonlyMap<string, string>> | null = null;

  /** `root`: the path of the user in the API. */
  constructor(http: HttpService, root: string) {
    this.#http = http;
    this.#root = root;
  }

  /** Requests the labels again when they are next used. */
  forget(): void {
    this.#names = null;
  }

  /** Returns the names of labels in order. A label that was deleted meanwhile is left out. */
  async namesOf(ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const isSystem = (id: string): boolean => /^[A-Z_]+$/.test(id);
    const own = ids.every(isSystem) ? new Map<string, string>() : await this.#load(signal);
    return ids.flatMap((id) => (isSystem(id) ? id : (own.get(id) ?? []))).toSorted();
  }

  /** Throws `config_invalid` if there is no such label. */
  async idOf(name: string, signal: AbortSignal): Promise<string> {
    const names = await this.#load(signal);
    for (const [id, each] of names) if (each === name) return id;
    const known = [...names.values()].slice(0, 20).join(', ');
    throw new TroveError('config_invalid', `config: there is no label "${name}"`, {
      suggestions: [`Set \`label\` to one of: ${known}.`],
    });
  }

  #load(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const loading = this.#names ?? this.#request(signal);
    this.#names = loading;
    loading.catch(() => {
      if (this.#names === loading) this.#names = null;
    });
    return loading;
  }

  async #request(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const reply = await this.#http.send({ get: `${this.#root}/labels` }, { signal });
    const { labels }: { readonly labels?: unknown } = Object(
      'none' in reply ? null : reply.answer.body,
    );
    const names = new Map<string, string>();
    for (const label of Array.isArray(labels) ? labels : []) {
      const { id, name }: { readonly id?: string; readonly name?: string } = Object(label);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
    return names;
  }
}
