import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { runNpm } from './run.mjs';
import { readJson, root } from './workspaces.mjs';

/**
 * Starts a registry on loopback with our packed packages (see `pack`) and all packages installed in the clone, which
 * are packed into a folder on demand. Returns its `url` and `close`.
 */
export async function startRegistry(packed, folder) {
  const own = new Map(packed.map((one) => [one.manifest.name, one]));
  const server = createServer((request, response) => {
    answer(decodeURIComponent(request.url ?? '')).then(
      (found) => send(response, found),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;

  async function answer(path) {
    const [, name = '', version] = /^\/((?:@[^/]+\/)?[^/]+)(?:\/([^/]+)\.tgz)?$/.exec(path) ?? [];
    const found = own.has(name) ? [own.get(name)] : installed(name);
    if (version === undefined) return found.length === 0 ? null : packumentOf(found, url);
    const one = found.find(({ manifest }) => manifest.version === version);
    return { file: one.tarball ?? (await packInstalled(one.path, folder)) };
  }

  return { url, close: () => server.close() };
}

function send(response, found) {
  if (found === null) response.writeHead(404).end('{}');
  else if ('file' in found) createReadStream(found.file).pipe(response);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(found.packument);
}

function packumentOf(found, url) {
  const versions = found.map(({ manifest }) => {
    const { name, version } = manifest;
    return [version, { ...manifest, dist: { tarball: `${url}/${name}/${version}.tgz` } }];
  });
  const [{ manifest }] = found;
  const tags = { latest: manifest.version };
  return {
    packument: JSON.stringify({
      name: manifest.name,
      'dist-tags': tags,
      versions: Object.fromEntries(versions),
    }),
  };
}

/** Returns each installed version of a package in the clone. */
function installed(name) {
  const places = Object.keys(readJson(join(root, 'package-lock.json')).packages);
  return places
    .filter((place) => place.endsWith(`node_modules/${name}`))
    .map((place) => join(root, place))
    .filter((path) => existsSync(join(path, 'package.json')))
    .map((path) => ({ path, manifest: readJson(join(path, 'package.json')) }));
}

async function packInstalled(path, folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, path];
  const { code, stdout, output } = await runNpm(args, { capture: true, cwd: folder });
  if (code !== 0) throw new Error(output);
  const [{ filename }] = Object.values(JSON.parse(stdout));
  return join(folder, filename);
}
