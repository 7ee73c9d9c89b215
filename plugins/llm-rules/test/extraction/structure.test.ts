import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { extractTriplets } from '../../src/extraction/extract-triplets.js';

const test = suite('triplets of Markdown');

function found(text: string, title: string | null = 'Guide'): string[] {
  return extractTriplets(text, title).map(
    ({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`,
  );
}

test('headings are topics below the enclosing topic', () => {
  const text =
    '# Harbour guide\n\n## Mooring\n\n### Night tariff\n\n## Examples\n\n## When it rains\n\n## 2. Fuel dock\n';
  assert.equal(found(text), [
    'Guide | has the section | Harbour guide',
    'Harbour guide | has the section | Mooring',
    'Mooring | has the section | Night tariff',
    'Harbour guide | has the section | Fuel dock',
  ]);
});

test('the heading is the subject of sentences without a leading name', () => {
  const text = '## Fuel dock\n\nThe dock is run by Seewind. They live near Oslo.';
  assert.equal(found(text), [
    'Guide | has the section | Fuel dock',
    'Fuel dock | The dock is run by | Seewind',
    'Guide | live near | Oslo',
  ]);
});

test('links and wikilinks are relations to their labels or targets', () => {
  const text =
    'See [the tariff list](tariffs.md), [[Night watch]], [[Fuel dock|the dock]], ' +
    '[here](https://example.org/winter-storage.html) and ![Chart of the bay](bay.png).\n\n<https://example.org/a?b>';
  assert.equal(found(text).toSorted(), [
    'Guide | links to | Night watch',
    'Guide | links to | the dock',
    'Guide | links to | the tariff list',
    'Guide | links to | winter storage',
    'Guide | shows | Chart of the bay',
  ]);
});

test('rows of tables are facts about their first column', () => {
  const text = [
    '| ship | captain | home port |',
    '| --- | --- | --- |',
    '| Long Harbour | **Mira Okafor** | [Velstad](velstad.md) |',
    '| `--force` | overwrites | all |',
    '| Tern | a captain that Ivo Ledin and the owners chose last year | - |',
  ].join('\n');
  assert.equal(found(text), [
    'Guide | has the ship | Long Harbour',
    'Long Harbour | captain | Mira Okafor',
    'Long Harbour | home port | Velstad',
    'Long Harbour | links to | Velstad',
    'Guide | has the ship | Tern',
    'Tern | captain | Ivo Ledin',
  ]);
});

test('fields of front matter are facts about the document', () => {
  const text =
    '---\ntitle: Fuel dock\nowner: "Seewind"\ntags: [diesel, safety]\ncrew:\n  - Ivo Ledin\ndraft: no\n---\n\nText.';
  assert.equal(found(text, null), [
    'Fuel dock | owner | Seewind',
    'Fuel dock | tags | diesel',
    'Fuel dock | tags | safety',
    'Fuel dock | crew | Ivo Ledin',
  ]);
});

test('code names only the modules that it imports', () => {
  const text = [
    'Set `Fuel Dock` of Velstad.',
    '',
    '```ts',
    "import { Ledger } from '@harbour/ledger';",
    'const Captain = new Ledger("Mira Okafor");',
    '```',
  ].join('\n');
  assert.equal(found(text), [
    'Guide | Set Fuel Dock of | Velstad',
    'Guide | uses the module | @harbour/ledger',
  ]);
});

test('options and words in capitals are not entities', () => {
  const text =
    'Send GET requests with a TOKEN to Velstad. Use --Force or TROVE_HOME in Oslo. NATO met Mira Okafor.\n\n' +
    '| name | meaning |\n| --- | --- |\n| `TOKEN` | the secret |\n| `-v` | prints more |\n| `GET /ships` | lists ships |';
  assert.equal(found(text), [
    'Guide | Send GET requests with a TOKEN to | Velstad',
    'Guide | Use --Force or TROVE_HOME in | Oslo',
    'NATO | met | Mira Okafor',
  ]);
});

test('numbers, units and long first cells are not entities', () => {
  const text =
    'It takes up to 350 MB in Velstad.\n\n| step | limit |\n| --- | --- |\n| fuelling | 20 min |\n' +
    '| a very long step that is a sentence of its own | Oslo |';
  assert.equal(found(text), ['Guide | in | Velstad', 'Guide | has the step | fuelling']);
});

test('an emphasised term is the topic of its list item', () => {
  assert.equal(found('- **Fuel dock**: run by Seewind since 2004.\n- **Note**: closed.'), [
    'Guide | mentions | Fuel dock',
    'Fuel dock | Fuel dock: run by | Seewind',
  ]);
});

test('a verb that begins a sentence is not part of a name', () => {
  assert.equal(found('You can install it in Oslo. Install Node in Velstad.'), [
    'Guide | can install it in | Oslo',
    'Guide | Install | Node',
    'Guide | in | Velstad',
  ]);
});

test('ends early for hostile Markdown', () => {
  const texts = [
    '['.repeat(20_000),
    '> '.repeat(10_000),
    '- '.repeat(10_000),
    '*a '.repeat(7000),
    '`'.repeat(20_000),
    '[[a|'.repeat(5000),
    '|'.repeat(20_000),
    `${'|a'.repeat(900)}|\n${'|-'.repeat(900)}|\n${'|b'.repeat(5000)}`,
    '---\n'.repeat(5000),
    `---\n${'a:\n'.repeat(6000)}`,
    '# '.repeat(10_000),
    '<a '.repeat(6000),
    '!['.repeat(10_000),
    '\\'.repeat(20_000),
    `# ${'.'.repeat(8000)}a\n\n${'Ada.\n\n'.repeat(1900)}`,
    `\`\`\`\n${'\n'.repeat(19_000)}x\n\`\`\`\n`,
    Array.from({ length: 140 }, (_, n) => `${' '.repeat(2 * n)}- a`).join('\n'),
  ];
  for (const text of texts) {
    const started = performance.now();
    assert.ok(extractTriplets(text, null).length <= 100);
    const elapsed = performance.now() - started;
    assert.ok(elapsed < 1000, `${JSON.stringify(text.slice(0, 12))}: ${Math.round(elapsed)} ms`);
  }
});

test.run();
