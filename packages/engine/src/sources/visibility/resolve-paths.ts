import type { Connectors } from '../connectors/connectors.js';

/**
 * Returns paths and URIs in the form of `Access.paths`. Links are resolved, because objects are indexed under their real
 * paths. The sources may be added later. Throws `validation_error`.
 */
export function resolvePaths(
  connectors: Pick<Connectors, 'findUri' | 'findIndexedUri'>,
  paths: readonly string[],
): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const uri = await connectors.findUri(path);
      return (await connectors.findIndexedUri(uri)) ?? uri;
    }),
  );
}
