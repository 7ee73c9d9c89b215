const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

const SIGN = 0x8000;
const INFINITY = 0x7c00;
const NAN = 0x7e00;
/** The largest number that is still finite when rounded, and the smallest that has all 11 bits; bits of a float. */
const TOO_LARGE = 0x477ff000;
const SMALLEST_NORMAL = 0x38800000;
const EXPONENT_SHIFT = 112 << 23;

/**
 * A number as the bits of a 16-bit float, rounded to nearest, ties to even. Arrow's own function rounds incorrectly.
 */
export function toHalf(value: number): number {
  single[0] = value;
  const [word = 0] = bits;
  const sign = (word >>> 16) & SIGN;
  const size = word & 0x7fff_ffff;
  if (size >= TOO_LARGE) return sign | (Number.isNaN(value) ? NAN : INFINITY);
  if (size < SMALLEST_NORMAL) return sign | roundedEven(Math.abs(value) * 2 ** 24);
  const rounded = size + 0xfff + ((size >>> 13) & 1);
  return sign | ((rounded - EXPONENT_SHIFT) >>> 13);
}

function roundedEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
