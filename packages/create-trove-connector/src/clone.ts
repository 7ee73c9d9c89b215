import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clone = fileURLToPath(new URL('../../..', import.meta.url));

const ownPackages = { '@trove/core': 'packages/core', '@trove/testkit': 'packages/testkit' };
const kit = { '@trove/connector-kit': 'packages/connector-kit' };
const tools = {
  typescript: 'node_modules/typescript',
  '@types/node': 'node_modules/@types/node',
  '.bin/tsc': 'node_modules/.bin/tsc',
};

/** Links the dependencies of a connector into the surrounding clone of Trove. Returns false outside a clone. */
export async function linkIntoClone(
  folder: string,
  { language, http }: { readonly language: 'typescript' | 'javascript'; readonly http: boolean },
): Promise<boolean> {
  const links = Object.entries({
    ...ownPackages,
    ...(http ? kit : {}),
    ...(language === 'typescript' ? tools : {}),
  });
  if (!links.every(([, from]) => existsSync(join(clone, from)))) return false;
  for (const [name, from] of links) {
    const to = join(folder, 'node_modules', name);
    await mkdir(dirname(to), { recursive: true });
    await symlink(join(clone, from), to);
  }
  return true;
}
