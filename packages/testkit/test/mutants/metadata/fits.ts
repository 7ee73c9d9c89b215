import type { Mutants } from './support.js';

export const fitMutants: Mutants = {
  'fit-kept': (good) => ({
    fit: async (embedding) => {
      const fit = await good.fit(embedding);
      return fit && { ...fit, state: fit.state.slice(0, 65_536) };
    },
  }),
  'fit-id': () => ({ fitId: async () => null }),
  'fit-of-an-embedding': (good, { fits }) => ({
    fit: (embedding) => good.fit(fits.has(embedding) ? embedding : ([...fits.keys()][0] ?? '')),
  }),
  'fit-replaced': (good, { fits }) => ({
    replaceFit: (embedding, fit, replaced) =>
      good.replaceFit(embedding, fit, replaced && (fits.get(embedding)?.id ?? null)),
  }),
  'fit-first-wins': (good, { fits }) => ({
    replaceFit: async (embedding, fit, replaced) =>
      replaced === null ? void fits.set(embedding, fit) : good.replaceFit(embedding, fit, replaced),
  }),
};
