/**
 * Branch filters of xz and 7z: they turned relative addresses of calls in programs into absolute ones, which compress better. Undone
 * here.
 *
 * Format: "The .xz File Format" 1.2.1, section 5.3.2; Bra.c of the LZMA SDK. No library offers the filters apart from an archiver.
 */
import { convertRiscV } from './branch-riscv.ts';
import { type Filter, X86Filter } from './delta-x86-filters.ts';

/** Makes the targets of calls relative again, in the bytes that begin at `position` of the program. How many bytes are final. */
type Convert = (code: DataView, position: number) => number;

/** By filter id, as in xz and 7z. */
const CONVERTERS: ReadonlyMap<number, Convert> = new Map([
  [5, convertPowerPc],
  [6, convertIa64],
  [7, convertArm],
  [8, convertThumb],
  [9, convertSparc],
  [10, convertArm64],
  [11, convertRiscV],
]);
const X86 = 4;

/** null: there is no such filter. `start`: where in the program the bytes begin. */
export function branchFilter(id: number, start = 0): Filter | null {
  if (id === X86) return new X86Filter(start);
  const convert = CONVERTERS.get(id);
  return convert === undefined ? null : new BranchFilter(convert, start);
}

class BranchFilter implements Filter {
  readonly #convert: Convert;
  #buffered = new Uint8Array(0);
  #position: number; // of the first buffered or next byte

  constructor(convert: Convert, start: number) {
    this.#convert = convert;
    this.#position = start;
  }

  push(chunk: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.#buffered.length + chunk.length);
    bytes.set(this.#buffered);
    bytes.set(chunk, this.#buffered.length);
    const done = this.#convert(new DataView(bytes.buffer), this.#position);
    this.#position += done;
    this.#buffered = bytes.slice(done);
    return bytes.subarray(0, done);
  }

  end(): Uint8Array {
    return this.#buffered;
  }
}

/** 24 bits that count words, from two instructions ahead. */
function convertArm(code: DataView, position: number): number {
  let at = 0;
  for (; at + 4 <= code.byteLength; at += 4) {
    if (code.getUint8(at + 3) !== 0xeb) continue;
    const target = (code.getUint32(at, true) << 2) - (position + at + 8);
    code.setUint32(at, ((target >> 2) & 0xffffff) | 0xeb000000, true);
  }
  return at;
}

/** A call is two instructions of two bytes, with eleven bits in each. */
function convertThumb(code: DataView, position: number): number {
  let at = 0;
  for (; at + 4 <= code.byteLength; at += 2) {
    const [high, low] = [code.getUint16(at, true), code.getUint16(at + 2, true)];
    if (high >> 11 !== 0x1e || low >> 11 !== 0x1f) continue;
    const target = ((((high & 0x7ff) << 11) | (low & 0x7ff)) << 1) - (position + at + 4);
    code.setUint16(at, 0xf000 | ((target >> 12) & 0x7ff), true);
    code.setUint16(at + 2, 0xf800 | ((target >> 1) & 0x7ff), true);
    at += 2;
  }
  return at;
}

/** Only calls that are relative and set the link register. */
function convertPowerPc(code: DataView, position: number): number {
  let at = 0;
  for (; at + 4 <= code.byteLength; at += 4) {
    const instruction = code.getUint32(at);
    if ((instruction & 0xfc000003) >>> 0 !== 0x48000001) continue;
    const target = instruction - (position + at);
    code.setUint32(at, 0x48000001 | (target & 0x03fffffc));
  }
  return at;
}

/** Of 30 bits that count words those above the 22nd are its sign. */
function convertSparc(code: DataView, position: number): number {
  let at = 0;
  for (; at + 4 <= code.byteLength; at += 4) {
    const instruction = code.getUint32(at);
    const top = instruction >>> 22;
    if (top !== 0x100 && top !== 0x1ff) continue;
    const target = ((instruction << 2) - (position + at)) >> 2;
    const sign = target & 0x400000 ? 0x3fc00000 : 0;
    code.setUint32(at, 0x40000000 | sign | (target & 0x3fffff));
  }
  return at;
}

/** Calls count words; addresses of pages within half a gigabyte count pages. */
function convertArm64(code: DataView, position: number): number {
  let at = 0;
  for (; at + 4 <= code.byteLength; at += 4) {
    const instruction = code.getUint32(at, true);
    const here = (position + at) >>> 0;
    if (instruction >>> 26 === 0x25) {
      code.setUint32(at, 0x94000000 | ((instruction - (here >>> 2)) & 0x03ffffff), true);
    } else if ((instruction & 0x9f000000) >>> 0 === 0x90000000) {
      const page = ((instruction >>> 29) & 3) | ((instruction >>> 3) & 0x1ffffc);
      if ((page + 0x20000) & 0x1c0000) continue;
      const target = page - (here >>> 12);
      const sign = target & 0x20000 ? 0xe00000 : 0;
      const low = ((target & 3) << 29) | ((target & 0x3fffc) << 3);
      code.setUint32(at, (instruction & 0x9000001f) | low | sign, true);
    }
  }
  return at;
}

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
function convertIa64(code: DataView, position: number): number {
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
