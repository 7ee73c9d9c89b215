import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { displayText } from '../src/paths/display.js';

const test = suite('texts of the server');

test('local files are shown as paths, and what only ends like one is left alone', () => {
  const place = { cwd: '/home/me', local: true };
  const text = 'See file://local/srv/a.md, and git+file://local/srv/project: fine.';
  const shown = 'See /srv/a.md, and git+file://local/srv/project: fine.';
  assert.is(displayText(text, place), shown);
  assert.is(displayText('No source holds file://local', place), 'No source holds /');
  assert.is(displayText('It is file://laptop.', place), 'It is file://laptop.');
});

test.run();
