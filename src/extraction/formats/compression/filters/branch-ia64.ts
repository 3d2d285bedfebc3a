/** A bundle: five bits that specify the types of its three instructions of 41 bits. */
const BUNDLE = 16;
/** Which of the three may be branches, for each of the 32 kinds. */
const BRANCHES = [
  ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ...[4, 4, 6, 6, 0, 0, 7, 7, 4, 4, 0, 0, 4, 4, 0, 0],
];
const TARGET = 0xfffffn << 13n;
const SIGN = 1n << 36n;

/** See branch-filters.ts. */
export function convertIa64(code: DataView, position: number): number {
  let at = 0;
  for (; at + BUNDLE <= code.byteLength; at += BUNDLE) {
    const branches = BRANCHES[code.getUint8(at) & 31]!;
    for (let slot = 0; slot < 3; slot++)
      if ((branches >> slot) & 1) convertSlot(code, at, slot, position + at);
  }
  return at;
}

function convertSlot(code: DataView, bundle: number, slot: number, position: number): void {
  const bit = 5 + 41 * slot;
  const at = bundle + (bit >> 3);
  const shift = BigInt(bit & 7);
  const bytes = BigInt(code.getUint32(at, true)) | (BigInt(code.getUint16(at + 4, true)) << 32n);
  const instruction = bytes >> shift;
  // A call relative to the instruction pointer.
  if (((instruction >> 37n) & 15n) !== 5n || ((instruction >> 9n) & 7n) !== 0n) return;
  const absolute = Number((instruction >> 13n) & 0xfffffn) | (instruction & SIGN ? 0x100000 : 0);
  const target = BigInt((((absolute << 4) - position) >>> 4) & 0x1fffff);
  const fresh =
    (instruction & ~(TARGET | SIGN)) | ((target & 0xfffffn) << 13n) | ((target & 0x100000n) << 16n);
  const written = (bytes & ((1n << shift) - 1n)) | (fresh << shift);
  code.setUint32(at, Number(written & 0xffffffffn), true);
  code.setUint16(at + 4, Number((written >> 32n) & 0xffffn), true);
}
