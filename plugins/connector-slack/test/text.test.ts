import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { messageText, readable } from '../src/text.js';

const test = suite('text of Slack messages');

const names = async (id: string): Promise<string | undefined> => (id === 'U1' ? 'Ann' : undefined);

const cases: readonly (readonly [string, string])[] = [
  ['<@U1> and <@U2>', '@Ann and @U2'],
  ['<@U2|ben>', '@ben'],
  ['<#C1|general> <#C2>', '#general #C2'],
  ['<!here> <!subteam^S1|@team> <!subteam^S1>', '@here @team @subteam'],
  ['<!date^1700000000^{date}|Nov 14>', 'Nov 14'],
  ['<https://a.example/?x=1&amp;y=2>', 'https://a.example/?x=1&y=2'],
  ['<https://a.example|label>', 'label (https://a.example)'],
  ['<mailto:ann@a.example|ann@a.example>', 'ann@a.example'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
  ['&amp;lt;', '&lt;'],
  ['a < b', 'a < b'],
];

for (const [written, shown] of cases)
  test(`shows ${written} as ${shown}`, async () => {
    assert.is(await readable(written, names), shown);
  });

test('uses the blocks of a message without text', async () => {
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'Deploy <@U1>' } };
  assert.is(await messageText({ text: '', blocks: [section] }, names), 'Deploy @Ann');
});

test('adds attachments, or their fallback', async () => {
  const attachments = [
    {
      title: 'Build',
      text: 'Green',
      fallback: 'unused',
      fields: [{ title: 'Branch', value: 'x' }],
    },
    { fallback: 'A picture' },
  ];
  const text = await messageText({ text: 'News', attachments }, names);
  assert.is(text, 'News\n\nBuild\nGreen\nBranch: x\n\nA picture');
});

test.run();
