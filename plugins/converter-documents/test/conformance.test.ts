import { converterCases, type ConverterSubject } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { DocumentConverter } from '../src/document-converter.js';
import plugins from '../src/index.js';
import { outlookMessage } from './support/msg.js';

const test = suite('documents: what every converter must do');

type Subject = Omit<ConverterSubject, 'create'>;

const sample = (mediaType: string, bytes: string | Uint8Array, ...texts: readonly string[]) => ({
  mediaType,
  bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  texts,
});
const html = 'text/html';
const notebook = 'application/x-ipynb+json';
const eml = 'message/rfc822';
const msg = 'application/vnd.ms-outlook';
const rtf = 'application/rtf';

const subjects: readonly Subject[] = [
  {
    samples: [
      sample(
        html,
        `<h1>One</h1><table><tr><td>two<td>three</table>${'<p>more</p>'.repeat(50)}`,
        'One',
        'two',
        'three',
      ),
      sample(html, '<p>Another', 'Another'),
    ],
    empty: sample(html, '<script>x</script>'),
  },
  {
    samples: [
      sample(
        notebook,
        JSON.stringify({
          cells: ['one', 'two'].map((source) => ({ cell_type: 'code', source, outputs: [] })),
        }),
        'one',
        'two',
      ),
    ],
    empty: sample(notebook, '{"cells": []}'),
  },
  {
    samples: [
      sample(
        eml,
        'From: a@x.org\r\nSubject: one\r\n\r\ntwo\r\n\r\nthree\r\n',
        'one',
        'two',
        'three',
      ),
    ],
    empty: sample(eml, 'From: a@x.org\r\n\r\n'),
  },
  {
    samples: [
      sample(
        msg,
        outlookMessage({ subject: 'one', sender: 'two', body: 'three' }),
        'one',
        'two',
        'three',
      ),
    ],
    empty: sample(msg, outlookMessage({ subject: '', sender: 'two', body: '' })),
  },
  {
    samples: [
      sample(rtf, String.raw`{\rtf1\ansi one\par two {\b three}\par}`, 'one', 'two', 'three'),
    ],
    empty: sample(rtf, String.raw`{\rtf1\ansi }`),
  },
];

for (const subject of subjects) {
  const [{ mediaType }] = subject.samples;
  for (const { title, run } of converterCases) {
    test(`${mediaType} ${title}`, () =>
      run({ ...subject, create: async () => new DocumentConverter(mediaType) }));
  }
}

test('has a converter with its own version for each media type', () => {
  const mediaTypes = plugins.flatMap((plugin) => plugin.keys);
  assert.is(new Set(mediaTypes).size, mediaTypes.length);
  for (const { samples } of subjects) assert.ok(mediaTypes.includes(samples[0].mediaType));
});

test.run();
