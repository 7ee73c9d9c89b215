import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { entryName } from '../src/commands/ls.js';

import { displayText } from '../src/paths/display.js';

const test = suite('display of server texts');

test('shows local files as paths and leaves similar texts unchanged', () => {
  const place = { cwd: '/home/me', local: true };
  const text = 'See file://local/srv/a.md, and git+file://local/srv/project: fine.';
  const shown = 'See /srv/a.md, and git+file://local/srv/project: fine.';
  assert.is(displayText(text, place), shown);
  assert.is(displayText('No source holds file://local', place), 'No source holds /');
  assert.is(displayText('It is file://laptop.', place), 'It is file://laptop.');
});

test('an entry name appended to its folder opens the entry', () => {
  const place = { cwd: '/home', local: true };
  const named = (name: string, path: string, type: 'file' | 'dir' = 'file') =>
    entryName({ name, path, type }, place);
  assert.is(named('a%20b', 's3://bucket/a%2520b'), 'a%2520b');
  assert.is(named('%2F', 's3://bucket/%252F', 'dir'), '%252F/');
  assert.is(named('a b', 's3://bucket/a%20b'), 'a b');
  assert.is(named('a%20b', 'file://local/home/a%2520b'), 'a%20b');
});

test.run();
