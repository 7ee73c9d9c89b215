import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';

import { between, oneOf } from '@trove/test-support/random.js';
import { contentFrom, ignoreRulesFrom } from './contents.mjs';
import { nameFrom } from './names.mjs';

const slash = Buffer.from('/');
const maxDepth = 400;

/**
 * Makes small changes to a folder, which may collide with earlier ones: a file in the place of a folder, or a missing
 * folder. Skips impossible changes.
 */
export class Changes {
  #root;
  #outside;
  #random;
  #folders;
  #paths = [];

  constructor({ root, outside, random }) {
    this.#root = Buffer.from(fs.realpathSync(root));
    this.#outside = outside;
    this.#random = random;
    this.#folders = [this.#root];
  }

  /** Makes `count` changes. */
  make(count) {
    for (let done = 0; done < count; done++) this.#one();
  }

  #one() {
    const change = oneOf(this.#random, changes);
    try {
      this[change]();
    } catch (error) {
      if (typeof error.code !== 'string' && error.status === undefined) throw error;
    }
  }

  #place() {
    const folder = oneOf(this.#random, this.#folders);
    const path = Buffer.concat([folder, slash, nameFrom(this.#random)]);
    this.#paths.push(path);
    return this.#own(path);
  }

  #known() {
    return this.#own(this.#paths.length === 0 ? this.#place() : oneOf(this.#random, this.#paths));
  }

  /** Returns the path if changing it affects nothing else: it is not a pipe, and it contains no link. */
  #own(path) {
    const folder = fs.realpathSync.native(path.subarray(0, path.lastIndexOf('/')), 'buffer');
    const inside =
      folder.equals(this.#root) || folder.indexOf(Buffer.concat([this.#root, slash])) === 0;
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    // Some calls take the path as text, where a name outside UTF-8 would become another path.
    const same = Buffer.from(path.toString()).equals(path) || stats === undefined;
    const plain = stats === undefined || stats.isFile() || stats.isDirectory();
    if (inside && plain && same) return path;
    throw Object.assign(new Error('the path leads outside the tree'), { code: 'ELOOP' });
  }

  file() {
    fs.writeFileSync(this.#place(), contentFrom(this.#random));
  }

  folder() {
    const path = this.#place();
    fs.mkdirSync(path);
    this.#folders.push(path);
  }

  deep() {
    const name = oneOf(this.#random, ['d', 'dd', 'é']);
    const path = Buffer.concat([
      this.#place(),
      Buffer.from(`/${name}`.repeat(between(this.#random, 2, maxDepth))),
    ]);
    fs.mkdirSync(path, { recursive: true });
    fs.writeFileSync(
      Buffer.concat([path, Buffer.from('/bottom.md')]),
      '# Bottom\n\nA fox far down.\n',
    );
  }

  link() {
    const targets = [
      this.#outside,
      `${this.#outside}/private.txt`,
      '.',
      '..',
      '../..',
      'nothing',
      this.#known(),
      this.#known(),
    ];
    const path = this.#place();
    // Links lead only to paths of the run, so that no change can reach the system.
    fs.symlinkSync(oneOf(this.#random, targets), path);
  }

  itself() {
    const path = this.#place();
    fs.symlinkSync(path, path);
  }

  pipe() {
    const path = this.#place();
    if (!Buffer.from(path.toString()).equals(path)) return;
    execFileSync('mkfifo', ['--', path.toString()], { stdio: 'ignore' });
  }

  rules() {
    const folder = oneOf(this.#random, this.#folders);
    const name = oneOf(this.#random, ['/.gitignore', '/.troveignore']);
    fs.writeFileSync(
      this.#own(Buffer.concat([folder, Buffer.from(name)])),
      ignoreRulesFrom(this.#random),
    );
  }

  remove() {
    fs.rmSync(this.#known().toString(), { recursive: true, force: true });
  }

  rename() {
    fs.renameSync(this.#known(), this.#place());
  }

  grow() {
    fs.appendFileSync(this.#known(), contentFrom(this.#random), {
      flag: fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_NONBLOCK,
    });
  }

  cut() {
    fs.truncateSync(this.#known(), between(this.#random, 0, 100));
  }

  forbid() {
    fs.chmodSync(this.#known(), oneOf(this.#random, [0o000, 0o200, 0o644, 0o755]));
  }

  age() {
    const time = oneOf(this.#random, [0, 1, 2 ** 31, 2 ** 33, Date.now() / 1000 + 1e6]);
    fs.utimesSync(this.#known(), time, time);
  }

  hardlink() {
    fs.linkSync(this.#known(), this.#place());
  }
}

const changes = (
  'file file file file folder folder deep link link itself pipe rules ' +
  'remove rename grow cut forbid age hardlink'
).split(' ');
