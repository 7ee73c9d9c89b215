import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { htmlToMarkdown } from '../src/html-markdown.js';

const test = suite('HTML as Markdown');

test('keeps paragraphs, lists and links, and decodes characters', () => {
  const html =
    '<p>Salt &amp; <b>pepper</b></p><ul><li>one</li></ul><p>See <a href="https://a.example/x">this</a>.</p>';
  assert.is(htmlToMarkdown(html), 'Salt & pepper\n\n- one\n\nSee [this](https://a.example/x).');
});

test('returns nothing for HTML without text or with too many levels', () => {
  assert.is(htmlToMarkdown('<p><br></p>'), '');
  assert.is(htmlToMarkdown(''), '');
  assert.type(htmlToMarkdown(`${'<div>'.repeat(100_000)}text`), 'string');
});

test.run();
