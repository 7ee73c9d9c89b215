import type { Mutants } from './support.js';

export const trainingMutants: Mutants = {
  'trained-state-kept': (good) => ({
    training: {
      get: async (embedding) => {
        const trained = await good.training.get(embedding);
        return trained && { ...trained, state: trained.state.slice(0, 65_536) };
      },
    },
  }),
  'trained-state-id': () => ({ training: { currentId: async () => null } }),
  'trained-state-per-embedding': (good, database) => ({
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
  'trained-state-replaced': (good) => ({
    training: {
      replace: async (embedding, trained, replaced) =>
        good.training.replace(
          embedding,
          trained,
          replaced && (await good.training.currentId(embedding)),
        ),
    },
  }),
  'first-training-wins': (good) => ({
    training: {
      replace: async (embedding, trained, replaced) =>
        good.training.replace(
          embedding,
          trained,
          replaced ?? (await good.training.currentId(embedding)),
        ),
    },
  }),
};
