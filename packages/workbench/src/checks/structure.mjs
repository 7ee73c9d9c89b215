// Checks that no more type names are exported from several files than before, after proving that a planted one is
// found. Prints the longest functions and files without failing, because only a reader can judge them.
import { report } from '../lib/report.mjs';
import { runTool } from '../lib/run.mjs';
import { sourceFiles } from '../lib/source-files.mjs';
import { workspaces } from '../lib/workspaces.mjs';

/** The number of names exported from two or more files. Lower it after a rename. */
const maxSharedNames = 2;
const shown = 5;
const maxFunctionLines = 50;
const exported = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;

const files = sourceFiles(['src'], ['.ts']);
const shared = sharedNames(files);
const problems = [];
if (sharedNames(planted()).join() !== 'Planted')
  problems.push('the planted type name that two files declare is not found');
if (shared.length > maxSharedNames)
  problems.push(
    `${shared.length} type names are exported from more than one file, ${maxSharedNames} before: give yours another name`,
  );
print(`longest files: ${longest(files.map(({ name, text }) => [name, linesOf(text)]))}`);
print(`longest functions: ${longest(await longFunctions())}`);
print(`${shared.length} type names are exported from more than one file`);
report('structure', files.length, 'files', problems);

/** Returns the names that several files export. */
function sharedNames(among) {
  const counts = new Map();
  for (const { text } of among) {
    const names = new Set(Array.from(text.matchAll(exported), ([, name]) => name));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].flatMap(([name, count]) => (count > 1 ? [name] : []));
}

function planted() {
  return ['export interface Planted {}\n', 'export type Planted = 1;\nexport class Other {}\n'].map(
    (text) => ({ text }),
  );
}

/** Returns functions of more than fifty lines as `[place, lines]`. */
async function longFunctions() {
  const folders = workspaces().map(({ folder }) => `${folder}/src`);
  const options = ['--format=json', '-A=all', '-D=max-lines-per-function'];
  const { output } = await runTool('oxlint/bin/oxlint', [...options, ...folders], {
    capture: true,
  });
  const { diagnostics } = JSON.parse(output);
  return diagnostics.flatMap(({ message, filename, labels }) => {
    const lines = Number(/\((\d+)\)/.exec(message)?.[1] ?? 0);
    return lines > maxFunctionLines ? [[`${filename}:${labels[0].span.line}`, lines]] : [];
  });
}

function longest(sizes) {
  return sizes
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, lines]) => `${name} (${lines})`)
    .join(', ');
}

function linesOf(text) {
  return text.split('\n').length;
}

function print(line) {
  console.log(line);
}
