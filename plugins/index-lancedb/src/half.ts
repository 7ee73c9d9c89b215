const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

const signBit = 0x8000;
const infinity = 0x7c00;
const nan = 0x7e00;
/** As bits: the largest float that rounds to a finite number, and the smallest with all 11 bits. */
const tooLarge = 0x477ff000;
const minNormal = 0x38800000;
const exponentShift = 112 << 23;

/**
 * Returns a number as the bits of a 16-bit float, rounded to nearest, ties to even. Arrow's own function rounds
 * incorrectly.
 */
export function toHalf(value: number): number {
  single[0] = value;
  const [word = 0] = bits;
  const sign = (word >>> 16) & signBit;
  const size = word & 0x7fff_ffff;
  if (size >= tooLarge) return sign | (Number.isNaN(value) ? nan : infinity);
  if (size < minNormal) return sign | roundedEven(Math.abs(value) * 2 ** 24);
  const rounded = size + 0xfff + ((size >>> 13) & 1);
  return sign | ((rounded - exponentShift) >>> 13);
}

function roundedEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
