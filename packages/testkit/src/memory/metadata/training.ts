import type { TrainingCatalog } from '@trove/core/store';

import type { Metadata } from './data.js';

export function memoryTraining({ fits }: Metadata): TrainingCatalog {
  return {
    currentId: async (embedding) => fits.get(embedding)?.id ?? null,
    get: async (embedding) => fits.get(embedding) ?? null,
    replace: async (embedding, { id, state }, replaced) => {
      const current = fits.get(embedding)?.id ?? null;
      if (current === replaced) fits.set(embedding, { id, state: Uint8Array.from(state) });
    },
  };
}
