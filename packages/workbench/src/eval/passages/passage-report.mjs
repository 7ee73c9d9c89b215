import { modes } from './ask-questions.mjs';

export const shareHeader = [
  'set',
  'questions',
  'mode',
  'asked',
  'first',
  'top 3',
  'top 10',
  'top 50',
];
export const changeHeader = [
  'set',
  'questions',
  'mode',
  'reciprocal rank before',
  'now',
  'change',
  'p',
];
const halves = ['tuning', 'held'];
const cutoffs = [1, 3, 10, 50];
/** Ranks behind all others. */
const unfound = 1000;

/** Returns the cells of each set and half, and of all sets together. */
export function setRows(answers) {
  const groups = [...new Set(answers.map(({ set }) => set)), null].flatMap((set) =>
    halves.map((half) => ({ set, half })),
  );
  return groups.flatMap(({ set, half }) =>
    modes.map((mode) =>
      cellsOf(
        set ?? 'all',
        half,
        mode,
        answers.filter(
          (each) =>
            (set === null || each.set === set) && each.question.half === half && each.mode === mode,
        ),
      ),
    ),
  );
}

/** Returns the reciprocal ranks of each set, half and mode, in the form that `compare` takes. */
export function runRows(answers) {
  const rows = new Map();
  for (const { set, question, mode, rank } of answers) {
    const { id, half } = question;
    const key = JSON.stringify([set, half, mode]);
    if (!rows.has(key)) rows.set(key, { collection: set, set: half, mode, figures: [] });
    rows.get(key).figures.push({ id, rank, reciprocal: rank === null ? 0 : 1 / rank });
  }
  return [...rows.values()];
}

/** Returns the cells of all sets together for each value of a member of questions, such as `kind`. */
export function groupRows(answers, key) {
  const groups = [...new Set(answers.map(({ question }) => question[key]))].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  return groups.flatMap((group) =>
    modes.map((mode) =>
      cellsOf(
        'all',
        group,
        mode,
        answers.filter((each) => each.question[key] === group && each.mode === mode),
      ),
    ),
  );
}

function cellsOf(set, group, mode, answers) {
  const shares = cutoffs.map((cutoff) => shareOf(answers, cutoff));
  return [set, group, mode, String(answers.length), ...shares];
}

/** Returns the share of questions with a wanted passage among the first hits. */
function shareOf(answers, cutoff) {
  if (answers.length === 0) return '–';
  const found = answers.filter(({ rank }) => rank !== null && rank <= cutoff).length;
  return `${((100 * found) / answers.length).toFixed(1)} %`;
}

/**
 * Returns a text for each question of the tuning half whose first hit in the default mode is not wanted, worst first.
 * The other half stays unseen, because a ranking must not be fitted to it.
 */
export function lossesOf(answers) {
  return answers
    .filter(
      ({ question, mode, rank }) => question.half === 'tuning' && mode === modes[0] && rank !== 1,
    )
    .toSorted((a, b) => (b.rank ?? unfound) - (a.rank ?? unfound))
    .map(({ question, rank, first }) => {
      const { id, kind, text, wanted } = question;
      return [
        `${id} (${kind}), ${rank === null ? 'not found' : `rank ${rank}`}: ${text}`,
        `  wanted ${wanted.map(placeOf).join(', ')}`,
        `  first  ${first === undefined ? 'nothing' : placeOf(first)}`,
      ].join('\n');
    });
}

function placeOf({ path, lines }) {
  return lines === null ? path : `${path}:${lines.join('-')}`;
}
