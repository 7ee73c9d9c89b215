import { install, type World } from './real-server.js';

/** Installs plugins that cannot be used. Returns the error code and the scheme of each. */
export async function installBroken(world: World): Promise<readonly (readonly [string, string])[]> {
  const dependable = `{ kind: 'connector', apiVersion: 1, keys: ['old'], configSchema: {}, create() {} }`;
  await install(world, 'trove-connector-sealed', { exports: { './x': './index.js' } }, '');
  await install(
    world,
    'trove-connector-broken',
    { exports: './index.js' },
    'throw new Error("no driver");',
  );
  await install(
    world,
    'trove-connector-bogus',
    { exports: './index.js' },
    'export default { kind: 1 };',
  );
  await install(
    world,
    'trove-connector-old',
    { exports: './index.js' },
    `export default ${dependable.replace('apiVersion: 1', 'apiVersion: 0')};`,
  );
  return [
    ['plugin_not_exported', 'sealed'],
    ['plugin_failed_to_load', 'broken'],
    ['plugin_invalid', 'bogus'],
    ['plugin_api_mismatch', 'old'],
  ];
}
