import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Writes the pinned commit of each collection to `folder/NAME`, unless it is there. Repositories come from their URL, or
 * from `clones/OWNER/NAME`, which needs no network. `report` gets a line for each written collection.
 */
export async function fetchCollections(collections, folder, { clones = null, report = () => {} }) {
  await mkdir(folder, { recursive: true });
  for (const collection of collections) {
    const target = join(folder, collection.name);
    if (await exists(target)) continue;
    const work = await mkdtemp(join(resolve(folder), '.fetch-'));
    try {
      const repository =
        clones === null
          ? await shallowClone(collection, join(work, 'clone'))
          : cloneIn(clones, collection);
      await writeTree(repository, collection, work);
      await rename(join(work, 'tree'), target);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    report(`${collection.name}: ${collection.repository} at ${collection.commit}`);
  }
}

function cloneIn(clones, { repository }) {
  return join(clones, new URL(repository).pathname);
}

async function shallowClone({ repository, commit }, path) {
  await git(['init', '--quiet', path]);
  await git(['-C', path, 'fetch', '--quiet', '--depth', '1', repository, commit]);
  return path;
}

/** Reads the tree into an index file of its own, because the clone must not change. */
async function writeTree(repository, collection, work) {
  const tree = join(work, 'tree');
  await mkdir(tree);
  const environment = { GIT_INDEX_FILE: join(work, 'index'), GIT_WORK_TREE: tree };
  for (const args of treesOf(collection))
    await git(['-C', repository, 'read-tree', ...args], environment);
  const checkOut = ['-c', 'core.autocrlf=false', 'checkout-index', '--all', `--prefix=${tree}/`];
  await git(['-C', repository, ...checkOut], environment);
}

/** Returns the arguments of `git read-tree` for the whole folder of a collection, or for each of its parts. */
function treesOf({ commit, folder = '', parts = null }) {
  const object = folder === '' ? commit : `${commit}:${folder}`;
  return parts?.map((part) => [`--prefix=${part}/`, `${object}/${part}`]) ?? [[object]];
}

async function git(args, environment = {}) {
  await run('git', args, { env: { ...process.env, ...environment } });
}

async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
