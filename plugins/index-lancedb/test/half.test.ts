import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toHalf } from '../src/half.js';

/** Returns the value of a 16-bit float. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

test('converts every 16-bit float to itself', () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = fromHalf(bits);
    if (!Number.isNaN(value)) assert.is(toHalf(value), bits);
  }
  assert.ok(Number.isNaN(fromHalf(toHalf(NaN))));
});

test('rounds to the nearer value, and ties to the even one', () => {
  for (let bits = 0; bits < 0x7bff; bits++) {
    const below = fromHalf(bits);
    const above = fromHalf(bits + 1);
    const middle = (below + above) / 2;
    assert.is(toHalf(middle), bits % 2 === 0 ? bits : bits + 1);
    assert.is(toHalf(below + (above - below) * 0.49), bits);
    assert.is(toHalf(-(below + (above - below) * 0.51)), 0x8000 | (bits + 1));
  }
});

test('converts too large values to infinity', () => {
  assert.is(toHalf(65519), 0x7bff);
  assert.is(toHalf(65520), 0x7c00);
  assert.is(toHalf(-1e30), 0xfc00);
});

test.run();
