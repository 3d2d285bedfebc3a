const halves = new DataView(new ArrayBuffer(8));

/** A number in 30 bits: an integer, or the upper part of a float; maybe a hundred times the value. */
export function rkNumber(bits: number): number {
  halves.setUint32(4, bits & 0xfffffffc, true);
  const value = bits & 2 ? (bits | 0) >> 2 : halves.getFloat64(0, true);
  return bits & 1 ? value / 100 : value;
}
