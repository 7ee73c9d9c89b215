import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { Command } from '../src/command.js';
import { renderHelp } from '../src/help.js';
import { plainStyle } from '../src/style.js';
import { sample } from './support/sample.js';

const test = suite('help');

test('wraps between words on a terminal, but not in a pipe', () => {
  const program = sample();
  const long = 'A description of many words that no terminal shows in one line. '.repeat(4).trim();
  const item: Command = {
    kind: 'command',
    name: 'long',
    description: long,
    aliasOf: undefined,
    args: {
      'an-option': { type: 'boolean', description: long },
      'an-option-with-a-long-name-and-a-value': {
        type: 'string',
        valueHint: 'N',
        description: long,
      },
    },
    examples: [{ command: 'sample long', does: long }],
    notes: [long],
    errorExit: 1,
    run: async () => undefined,
  };
  const path = ['sample', 'long'];
  const whole = renderHelp(program, path, item);
  for (const width of [80, 100]) {
    const help = renderHelp(program, path, item, { style: plainStyle, width });
    const tooLong = help.split('\n').filter((line) => line.length > width && line.includes('  '));
    assert.equal(tooLong, []);
    assert.equal(help.split(/\s+/), whole.split(/\s+/));
  }
  assert.ok(whole.split('\n').some((line) => line.length > 100));
});

test.run();
