import { markedFiles } from '@trove/test-support/marked-files.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { startFakeDrive } from './fake.js';
import type { DriveWorld } from './fake/world.js';
import { settingsFor, target } from './source.js';

export const law: SyncLaw = {
  schemes: ['gdrive'],
  async start() {
    const fake = await startFakeDrive();
    const { world } = fake;
    const idOf = (path: string): string | undefined =>
      [...world.files.values()].find((file) => !file.trashed && pathOf(world, file.id) === path)
        ?.id;
    const folderAt = (path: string): string => {
      if (path === '') return world.rootId;
      const { name, folder } = split(path);
      return idOf(path) ?? world.createFolder(name, { parent: folderAt(folder) }).id;
    };
    let removed = 0;
    const files = await markedFiles({
      write: (path, content) => {
        world.advance(1000);
        const id = idOf(path);
        const { name, folder } = split(path);
        if (id === undefined) world.create({ name, content, parent: folderAt(folder) });
        else world.edit(id, { content });
      },
      remove: (path) => {
        world.advance(1000);
        const id = idOf(path) ?? '';
        if (++removed % 2 === 0) world.trash(id);
        else world.remove(id);
      },
    });
    return {
      target,
      config: settingsFor(fake),
      ...files,
      expireCursors: () => world.expireChanges(),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function split(path: string): { readonly name: string; readonly folder: string } {
  const slash = path.lastIndexOf('/');
  return { name: path.slice(slash + 1), folder: path.slice(0, Math.max(0, slash)) };
}

function pathOf(world: DriveWorld, id: string): string {
  const { name, parent } = world.file(id);
  return parent === null || parent === world.rootId ? name : `${pathOf(world, parent)}/${name}`;
}
