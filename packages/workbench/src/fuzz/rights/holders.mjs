const rightsLevels = ['read', 'sync'];
const maxPaths = 3;

/**
 * Creates tokens with random rights and paths. Returns `{ token, name, rights, paths, seen }`, where `seen` contains the
 * markers that the token may see: those at or below its paths, and those in the paths themselves.
 */
export async function makeHolders(api, places, count, random) {
  const holders = [];
  for (let number = 0; number < count; number++) {
    const paths = Array.from(
      { length: 1 + random(maxPaths) },
      () => places[random(places.length)].path,
    );
    const rights = rightsLevels[random(rightsLevels.length)];
    const name = `rights-${number}`;
    const { token } = await api.post('/v1/tokens', { name, rights, paths });
    const isBelow = ({ path }) =>
      paths.some((visible) => path === visible || path.startsWith(`${visible}/`));
    const below = places.filter(isBelow).flatMap(({ markers }) => markers);
    const above = places
      .filter(({ path }) => paths.some((visible) => visible.startsWith(path)))
      .map(({ markers: [inName] }) => inName);
    holders.push({ token, name, rights, paths, seen: new Set([...below, ...above]) });
  }
  return holders;
}

/** Returns a function that yields reproducible whole numbers below a limit. */
export function randomOf(seed) {
  let state = (seed >>> 0) + 1;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
