import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { between, oneOf, type Random } from '@trove/test-support/random.js';

const words = [
  ...'harbour lantern orchard granite willow copper meadow thunder velvet compass'.split(' '),
  ...'glacier pepper saddle mirror tunnel feather canyon marble ribbon beacon'.split(' '),
];

/** A folder of documents and code that changes realistically. */
export class Corpus {
  readonly root: string;
  readonly #random: Random;
  readonly #paths: string[] = [];
  #made = 0;

  constructor(root: string, random: Random) {
    this.root = root;
    this.#random = random;
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  async add(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const path = this.#newPath();
      this.#paths.push(path);
      await this.write(path, this.#text(path));
    }
  }

  /** Changes, deletes, renames and adds some files. */
  async change(): Promise<void> {
    for (const path of this.#paths.splice(0, this.#paths.length)) {
      const dice = this.#random();
      if (dice < 0.08) {
        await rm(join(this.root, path));
      } else if (dice < 0.16) {
        const to = this.#newPath();
        await mkdir(dirname(join(this.root, to)), { recursive: true });
        await rename(join(this.root, path), join(this.root, to));
        this.#paths.push(to);
      } else {
        if (dice < 0.4) await this.write(path, this.#text(path));
        this.#paths.push(path);
      }
    }
    await this.add(between(this.#random, 0, 39));
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), text);
  }

  #newPath(): string {
    const n = this.#made++;
    const extension = ['md', 'ts', 'txt', 'py'][n % 4];
    return `part-${between(this.#random, 0, 8)}/${this.#word()}-${n}.${extension}`;
  }

  #text(path: string): string {
    const sections = between(this.#random, 1, 6);
    const title = `# ${path} ${this.#word()}\n\n`;
    return title + Array.from({ length: sections }, () => this.#section()).join('\n');
  }

  #section(): string {
    const lines = Array.from({ length: between(this.#random, 3, 14) }, () =>
      Array.from({ length: between(this.#random, 4, 12) }, () => this.#word()).join(' '),
    );
    return `## ${this.#word()}\n\n${lines.join('\n')}\n`;
  }

  #word(): string {
    return `${oneOf(this.#random, words)}${between(this.#random, 0, 39)}`;
  }
}
