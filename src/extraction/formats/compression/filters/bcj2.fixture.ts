import { RangeEncoder } from '../lzma/range-encoder.fixture.ts';

/** Parts a program for x86 into the four streams of BCJ2. */
export function encodeBcj2(program: Uint8Array): [main: Buffer, calls: Buffer, jumps: Buffer, bits: Buffer] {
  const main: number[] = [];
  const targets: Record<'call' | 'jump', number[]> = { call: [], jump: [] };
  const bits = new BitEncoder();
  let before = 0;
  for (let at = 0; at < program.length; ) {
    const byte = program[at++]!;
    main.push(byte);
    const isOther = before === 0x0f && (byte & 0xf0) === 0x80;
    if ((byte & 0xfe) !== 0xe8 && !isOther) {
      before = byte;
      continue;
    }
    const name = byte === 0xe8 ? 2 + before : byte === 0xe9 ? 1 : 0;
    before = byte;
    if (at === program.length) break;
    // Some targets are left unconverted, as by a real encoder.
    const isMoved = at + 4 <= program.length && program[at]! % 3 !== 0;
    bits.bit(name, isMoved ? 1 : 0);
    if (!isMoved) continue;
    const target = Buffer.from(program.subarray(at, at + 4)).readInt32LE(0);
    at += 4;
    const absolute = (target + at) >>> 0;
    targets[byte === 0xe8 ? 'call' : 'jump'].push(
      ...[absolute >>> 24, absolute >>> 16, absolute >>> 8, absolute].map((part) => part & 0xff),
    );
    before = target >>> 24;
  }
  return [Buffer.from(main), Buffer.from(targets.call), Buffer.from(targets.jump), bits.end()];
}

class BitEncoder {
  readonly #probs = new Map<number, number>();
  readonly #coder = new RangeEncoder();

  bit(name: number, bit: number): void {
    const p = this.#probs.get(name) ?? 1024;
    const bound = (this.#coder.range >>> 11) * p;
    if (bit === 0) this.#coder.narrow(0, bound);
    else this.#coder.narrow(bound, this.#coder.range - bound);
    this.#probs.set(name, bit === 0 ? p + ((2048 - p) >> 5) : p - (p >> 5));
  }

  end(): Buffer {
    return this.#coder.end();
  }
}
