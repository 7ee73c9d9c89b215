import { childWorks, continueStack, workOf } from './children.js';
import { pathOf } from './entries.js';
import { entriesOf, type Located } from './list.js';
import { requestPage } from './pages.js';
import type { PlannedObject } from './plan.js';
import type { LocatedObject } from './read-records.js';
import type { HttpSource, Run } from './source.js';
import type { Work } from './work.js';

const maxKnown = 10_000;

/** Finds the parents of objects by their paths. Remembers those of the last listings. */
export class ObjectFinder {
  readonly #source: HttpSource;
  readonly #known = new Map<string, LocatedObject>();

  constructor(source: HttpSource) {
    this.#source = source;
  }

  remember({ entry, object: name, parents }: Located): void {
    const object = this.#source.plan.objects.find((each) => each.name === name);
    if (object === undefined) return;
    this.#known.delete(entry.path);
    this.#known.set(entry.path, { object, parents });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Returns null if there is no such object. Lists the objects of the source if it is not remembered. */
  async find(path: string, identity: string | undefined, run: Run): Promise<LocatedObject | null> {
    const known = this.#known.get(path) ?? this.#findStatic(path, run);
    if (known !== null) return known;
    for (const object of this.#source.plan.objects) {
      const parent = object.description.for;
      const found =
        parent === undefined ? null : await this.#search(object, parent, path, identity, run);
      if (found !== null) return found;
    }
    return null;
  }

  #findStatic(path: string, run: Run): LocatedObject | null {
    const object = this.#source.plan.objects.find(
      ({ description }) =>
        description.for === undefined && pathOf(description.path, this.#source.scope(run)) === path,
    );
    return object === undefined ? null : { object, parents: {} };
  }

  async #search(
    object: PlannedObject,
    parent: string,
    path: string,
    identity: string | undefined,
    run: Run,
  ): Promise<LocatedObject | null> {
    const { ancestors = [] } = this.#source.plan.streams.get(parent) ?? {};
    const line = [...ancestors, parent];
    const stack: Work[] = [workOf(line[0] ?? parent, {}, undefined)];
    for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
      const page = await requestPage(this.#source, work, run);
      const children: Work[] = [];
      for (const item of page.items) {
        for (const located of await entriesOf(this.#source, page, item, run)) {
          this.remember(located);
          const { entry } = located;
          const isIt =
            entry.path === path || (identity !== undefined && entry.identity === identity);
          if (isIt && located.object === object.name) return { object, parents: located.parents };
        }
        const names = page.stream.children.filter((name) => line.includes(name));
        children.push(...(await childWorks(this.#source, page, item, names, undefined, run)));
      }
      continueStack(stack, page, children);
    }
    return null;
  }
}
