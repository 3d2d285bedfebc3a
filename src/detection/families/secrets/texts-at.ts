const CASE = 0x20202020;
const HEAD = 4;

/** The index of the first text, from `from` on, that is at the position, or -1. */
export type TextsAt = (bytes: Buffer, at: number, from?: number) => number;

/**
 * Optimised for texts that rarely match: their first four bytes are compared as one number. `anyCase`: ignores bit 0x20, so letters match
 * in any case, and other bytes may collide.
 */
export function textsAt(texts: readonly string[], anyCase = false): TextsAt {
  const same = anyCase ? CASE : 0;
  const bodies = texts.map((text) => Buffer.from(text, 'latin1'));
  const masks = Int32Array.from(bodies, ({ length }) => (length < HEAD ? (1 << (8 * length)) - 1 : -1));
  const heads = Int32Array.from(
    bodies,
    (body, n) => (headOf(Buffer.concat([body, Buffer.alloc(HEAD)]), 0) | same) & masks[n]!,
  );
  return (bytes, at, from = 0) => {
    const head = headOf(bytes, at) | same;
    for (let n = from; n < heads.length; n++) {
      if ((head & masks[n]!) === heads[n] && goesOn(bodies[n]!, bytes, at, same & 0xff)) return n;
    }
    return -1;
  };
}

function headOf(bytes: Buffer, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function goesOn(body: Buffer, bytes: Buffer, at: number, same: number): boolean {
  for (let i = HEAD; i < body.length; i++) if ((bytes[at + i]! | same) !== (body[i]! | same)) return false;
  return true;
}
