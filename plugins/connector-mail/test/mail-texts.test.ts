import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { inWorld, mbox, message, recordsOf } from './support.js';

const test = suite('mail texts');

const path = 'box/messages.jsonl';

test(
  'decodes texts and names in every encoding',
  inWorld(async (world) => {
    const head = (subject: string, ...rest: string[]): Buffer =>
      Buffer.from([`Subject: ${subject}`, ...rest, '', ''].join('\n'), 'latin1');
    const jis = '\x1b$B2q5DCf;_\x1b(B';
    const uu = 'begin 644 t.txt\n+:&5L;&\\@=V]R;&0\n`\nend\n';
    const type = (charset: string): string => `Content-Type: text/plain; charset=${charset}`;
    const euro = Buffer.from('\x80 5 \x93it\x92s\x94', 'latin1');
    const samples: readonly (readonly [Buffer, string | Buffer, string, string])[] = [
      [head(jis), jis, '会議中止', '会議中止'],
      [head('=?windows-1252?Q?=80_5?=', type('iso-8859-1')), euro, '€ 5', '€ 5 “it’s”'],
      [head('\xcf\xb5\xcd\xb3', type('gb2312')), Buffer.from([0xc4, 0xe3]), '系统', '你'],
      [head('x', type('x-unknown')), 'Привет', 'x', 'Привет'],
      [head('x', type('us-ascii')), 'Привет', 'x', 'Привет'],
      [head('x', 'Content-Transfer-Encoding: x-uuencode'), uu, 'x', 'hello world'],
      [head('x'), `See:\n${uu}Bye`, 'x', 'See:\nhello world\nBye'],
      [head('=?UTF-8?B?w7w=?= =?UTF-8?Q?=C3?= =?UTF-8?Q?=9F?='), 'x', 'üß', 'x'],
      [head('=?iso-2022-jp?B?GyRCMnEbKEI=?= =?iso-2022-jp?B?GyRCNUQbKEI=?='), 'x', '会議', 'x'],
    ];
    for (const [at, [header, body]] of samples.entries())
      world.write(
        `${at}`,
        Buffer.concat([
          Buffer.from('From a@x Mon Mar  3 10:00:00 2025\n'),
          header,
          Buffer.from(body),
        ]),
      );
    for (const [at, [, , subject, text]] of samples.entries()) {
      const [record] = await recordsOf(world.connector(), `${at}/messages.jsonl`);
      assert.equal([record?.fields?.['subject'], record?.text], [subject, text], String(at));
    }
  }),
);

test(
  'assigns a reply to the thread of the last message it names',
  inWorld(async (world) => {
    const reply = (id: string, header: string): string =>
      message({ id, body: id }).replace('Subject:', `${header}\nSubject:`);
    world.write(
      'box',
      mbox(
        message({ id: 'root@x', body: 'root' }),
        reply('b@x', 'In-Reply-To: <root@x>'),
        reply('c@x', 'References: <b@x>'),
        reply('d@x', 'References: <lost@x> <c@x>'),
        reply('e@x', 'References: <lost@x>\nIn-Reply-To: <d@x>'),
        reply('f@x', 'References: <other@x>'),
      ),
    );
    const connector = world.connector();
    const records = await recordsOf(connector, path);
    assert.equal(
      records.map(({ thread }) => thread),
      [...Array.from({ length: 5 }, () => 'root@x'), 'other@x'],
    );
    assert.is((await recordsOf(connector, path, { thread: 'root@x' })).length, 5);
  }),
);

test.run();
