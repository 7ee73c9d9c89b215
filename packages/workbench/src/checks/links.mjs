// Checks that every link in a Markdown file leads to a file of the repository and a heading in it, or to an https
// URL, which is not fetched. First proves that planted faults are found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { markdownFiles } from '../lib/documentation.mjs';
import { brokenLinks, linksOf } from '../lib/links.mjs';
import { report } from '../lib/report.mjs';
import { root } from '../lib/workspaces.mjs';

const plantedPage = `# A heading: \`code\` & more

[fine](README.md), [fine](#a-heading-code--more), [fine](https://example.org), \`[code](none.md)\`
[no file](docs/none.md)
[no heading](#none) and [none](README.md#none)
[wrapped
text](../outside.md), ![image](none.svg), <http://example.org>
[absolute](/docs)

[reference]: none.md
`;
const plantedFaults = [4, 5, 5, 7, 7, 7, 8, 10];

let linkCount = 0;
const problems = findMissedFaults();
for (const page of markdownFiles()) {
  const text = readFileSync(join(root, page), 'utf8');
  linkCount += linksOf(text).length;
  problems.push(...brokenLinks(page, text));
}
report('links', linkCount, 'links', problems);

/** Checks the planted page. Returns a problem unless exactly the planted faults are found. */
function findMissedFaults() {
  const found = brokenLinks('planted.md', plantedPage);
  const lines = found.map((problem) => Number(problem.split(':')[1]));
  if (lines.join() === plantedFaults.join()) return [];
  return [
    `expected faults in lines ${plantedFaults.join()} of the planted page, found:\n${found.join('\n')}`,
  ];
}
