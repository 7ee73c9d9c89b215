import type { Mutants } from './support.js';

export const fitMutants: Mutants = {
  'fit-kept': (good) => ({
    training: {
      get: async (embedding) => {
        const fit = await good.training.get(embedding);
        return fit && { ...fit, state: fit.state.slice(0, 65_536) };
      },
    },
  }),
  'fit-id': () => ({ training: { currentId: async () => null } }),
  'fit-of-an-embedding': (good, { fits }) => ({
    training: {
      get: (embedding) =>
        good.training.get(fits.has(embedding) ? embedding : ([...fits.keys()][0] ?? '')),
    },
  }),
  'fit-replaced': (good, { fits }) => ({
    training: {
      replace: (embedding, fit, replaced) =>
        good.training.replace(embedding, fit, replaced && (fits.get(embedding)?.id ?? null)),
    },
  }),
  'fit-first-wins': (good, { fits }) => ({
    training: {
      replace: async (embedding, fit, replaced) =>
        replaced === null
          ? void fits.set(embedding, fit)
          : good.training.replace(embedding, fit, replaced),
    },
  }),
};
