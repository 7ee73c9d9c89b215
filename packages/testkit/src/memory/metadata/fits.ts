import type { FitCatalog } from '@trove/core/store';

import type { Metadata } from './data.js';

export function fitMethods({ fits }: Metadata): FitCatalog {
  return {
    fitId: async (embedding) => fits.get(embedding)?.id ?? null,
    fit: async (embedding) => fits.get(embedding) ?? null,
    replaceFit: async (embedding, { id, state }, replaced) => {
      const current = fits.get(embedding)?.id ?? null;
      if (current === replaced) fits.set(embedding, { id, state: Uint8Array.from(state) });
    },
  };
}
