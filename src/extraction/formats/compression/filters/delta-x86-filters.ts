/**
 * The delta filter and the x86 branch filter of xz and 7z.
 *
 * Format: "The .xz File Format" 1.2.1, sections 5.3.2 and 5.3.3; Delta.c and Bra86.c of the LZMA SDK.
 */

/** Undoes a filter that was applied before compression, chunk by chunk. */
export interface Filter {
  /** Converts the chunk; its last bytes may be held back for the next one. Valid until the next call. */
  push(chunk: Uint8Array): Uint8Array;
  /** The bytes held back. */
  end(): Uint8Array;
}

export async function* filtered(
  chunks: AsyncIterable<Uint8Array>,
  filter: Filter,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const out = filter.push(chunk);
    if (out.length > 0) yield out;
  }
  const rest = filter.end();
  if (rest.length > 0) yield rest;
}

/** Each byte was written as its difference to the one `distance` before it. */
export class DeltaFilter implements Filter {
  readonly #distance: number;
  readonly #before = new Uint8Array(256); // the last ones, in a ring
  #at = 0;

  constructor(distance: number) {
    this.#distance = distance;
  }

  push(chunk: Uint8Array): Uint8Array {
    const out = new Uint8Array(chunk.length);
    const before = this.#before;
    let at = this.#at;
    for (let i = 0; i < chunk.length; i++) {
      const byte = (chunk[i]! + before[(at - this.#distance) & 0xff]!) & 0xff;
      out[i] = byte;
      before[at & 0xff] = byte;
      at = (at + 1) & 0xff;
    }
    this.#at = at;
    return out;
  }

  end(): Uint8Array {
    return NOTHING;
  }
}

const NOTHING = new Uint8Array(0);
const CALL = 0xe8;
const JUMP = 0xe9;
const INSTRUCTION = 5;

/**
 * The x86 filter: targets of calls and jumps were made absolute. An opcode within the last bytes of a previous one may be part of an
 * address: which of the three previous bytes could have been opcodes, and whether an address followed, decides what was converted.
 */
export class X86Filter implements Filter {
  #buffered = NOTHING;
  #position: number; // of the first buffered or next byte
  #lastOpcode: number;
  #mask = 0;

  constructor(start = 0) {
    this.#position = start;
    this.#lastOpcode = start - INSTRUCTION;
  }

  push(chunk: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.#buffered.length + chunk.length);
    bytes.set(this.#buffered);
    bytes.set(chunk, this.#buffered.length);
    const done = this.#convert(bytes);
    this.#position += done;
    this.#buffered = bytes.slice(done);
    return bytes.subarray(0, done);
  }

  end(): Uint8Array {
    return this.#buffered;
  }

  /** How many bytes are final. */
  #convert(bytes: Uint8Array): number {
    let at = 0;
    while (at + INSTRUCTION <= bytes.length) {
      const opcode = bytes[at]!;
      if (opcode !== CALL && opcode !== JUMP) at++;
      else at += this.#convertOne(bytes, at);
    }
    return at;
  }

  #convertOne(bytes: Uint8Array, at: number): number {
    const position = this.#position + at;
    const since = position - this.#lastOpcode;
    this.#lastOpcode = position;
    let mask = since > INSTRUCTION ? 0 : this.#mask;
    if (mask !== 0) for (let i = 0; i < since; i++) mask = (mask & 0x77) << 1;
    const top = bytes[at + 4]!;
    const slot = mask >> 1;
    if (!isSign(top) || slot > 4 || slot === 3) {
      this.#mask = mask | (isSign(top) ? 0x11 : 1);
      return 1;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset + at + 1, 4);
    const target = relative(view.getInt32(0, true), (position + INSTRUCTION) | 0, mask);
    // The address has 25 bits; the highest one is the sign.
    view.setInt32(0, (target << 7) >> 7, true);
    this.#mask = 0;
    return INSTRUCTION;
  }
}

/** The sign byte of an earlier opcode must not change; then the encoder converted once more. */
function relative(absolute: number, next: number, mask: number): number {
  const target = (absolute - next) | 0;
  if (mask === 0) return target;
  const shift = 24 - 8 * BYTE_OF_MASK[mask >> 1]!;
  if (!isSign((target >>> shift) & 0xff)) return target;
  return ((target ^ ((0x100 << shift) - 1)) - next) | 0;
}

const BYTE_OF_MASK = [0, 1, 2, 2, 3];

function isSign(byte: number): boolean {
  return byte === 0 || byte === 0xff;
}
