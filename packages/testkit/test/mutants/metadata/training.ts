import type { Mutants } from './support.js';

export const trainingMutants: Mutants = {
  'fit-kept': (good) => ({
    training: {
      get: async (embedding) => {
        const fit = await good.training.get(embedding);
        return fit && { ...fit, state: fit.state.slice(0, 65_536) };
      },
    },
  }),
  'fit-id': () => ({ training: { currentId: async () => null } }),
  'fit-of-an-embedding': (good, database) => ({
    training: {
      get: async (embedding) => {
        const rows = await database.query(
          'select embedding from trove_trained_states order by rowid',
        );
        const known = rows.map((row) => String(row['embedding']));
        return good.training.get(known.includes(embedding) ? embedding : (known[0] ?? embedding));
      },
    },
  }),
  'fit-replaced': (good) => ({
    training: {
      replace: async (embedding, fit, replaced) =>
        good.training.replace(
          embedding,
          fit,
          replaced && (await good.training.currentId(embedding)),
        ),
    },
  }),
  'fit-first-wins': (good) => ({
    training: {
      replace: async (embedding, fit, replaced) =>
        good.training.replace(
          embedding,
          fit,
          replaced ?? (await good.training.currentId(embedding)),
        ),
    },
  }),
};
