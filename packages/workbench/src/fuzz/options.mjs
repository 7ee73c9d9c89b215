import { parseArgs } from 'node:util';

export const partNames = ['requests', 'rights', 'sockets', 'tree', 'plugins', 'embedder'];

const usage = `npm run fuzz -- [--seconds N] [--seed N] [--only PART] [--path PATH] [--report FILE]

  --seconds N    how long to go on, 60 when left out
  --seed N       what everything is generated from; a new one each time when left out
  --only PART    one of ${partNames.join(', ')}; all of them, in turns, when left out
  --path PATH    with --seed and --only: just the one case that a failure named
  --report FILE  writes the figures of the run as a page of Markdown`;

/** Parses the command line: `{ seconds, seed, parts, path, report }`. Throws with the usage for invalid arguments. */
export function parseOptions(args) {
  const { values } = parse(args);
  const { only, path, report } = values;
  if (only !== undefined && !partNames.includes(only)) throw new Error(usage);
  if (path !== undefined && (only === undefined || values.seed === undefined)) {
    throw new Error(`--path needs --seed and --only\n\n${usage}`);
  }
  return {
    seconds: whole(values.seconds, 60),
    seed: whole(values.seed, Date.now() % 2 ** 31),
    parts: only === undefined ? partNames : [only],
    path,
    report,
  };
}

function parse(args) {
  const text = { type: 'string' };
  try {
    return parseArgs({
      args,
      options: { seconds: text, seed: text, only: text, path: text, report: text },
    });
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`, { cause: error });
  }
}

function whole(text, otherwise) {
  if (text === undefined) return otherwise;
  if (!/^\d{1,10}$/.test(text)) throw new Error(usage);
  return Number(text);
}
