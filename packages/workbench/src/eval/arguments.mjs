import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const usageExitCode = 2;

/** Prints an error about the command line and exits. */
export function refuse(what) {
  console.error(`error: ${what}`);
  process.exit(usageExitCode);
}

/** Returns the arguments of this program. Prints `usage` and exits without any, or for an unknown option. */
export function argumentsOf(options, usage) {
  let parsed;
  try {
    parsed = parseArgs({ allowPositionals: true, options });
  } catch (error) {
    refuse(`${error.message.split(/\.\s/)[0]}\n${usage}`);
  }
  if (parsed.positionals.length > 0) return parsed;
  console.error(usage);
  process.exit(usageExitCode);
}

/** Returns the collections in folders, at least one in each. `find` finds those in one folder. */
export async function collectionsIn(folders, find, files) {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const inIt = await find(resolve(folder)).catch((error) =>
        refuse(`cannot read ${folder} (${error.code ?? error.message})`),
      );
      return inIt.length > 0 ? inIt : refuse(`no collection in ${folder}: it needs ${files}`);
    }),
  );
  return found.flat();
}

/** Reads a saved run. */
export async function savedRun(file) {
  const text = await readFile(file, 'utf8').catch((error) =>
    refuse(`cannot read ${file} (${error.code ?? error.message})`),
  );
  const run = asJson(text);
  return Array.isArray(run?.rows) && run.rows.every(isRow)
    ? run
    : refuse(`${file} was not written by --save`);
}

function isRow(row) {
  return typeof row?.set === 'string' && Array.isArray(row.figures);
}

function asJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
