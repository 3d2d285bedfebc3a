import { type AnchorTables, BEYOND, FOLLOWER } from '../anchor-tables.ts';
import { type AnchorBatch, type AnchorFinder, notableBorders, noteToken, SEPARATORS } from '../anchors.ts';
import { CLASS, isAlnum } from '../bytes.ts';
import { countLines } from '../lines.ts';
import { BORDER, NO_LINE, RECORD, tokenKernel } from './token-kernel.ts';

const STRETCH = 8192;
const BEHIND = 16; // the name before a border at the very start
const AHEAD = 160; // the kernel reads whole blocks, and 64 bytes more of a token that goes on
const FIELDS = RECORD.bytes / 4;
/** Where things are in the kernel's memory. */
const PLAN = {
  lines: 16,
  follower: 256,
  classes: 512,
  separators: 768,
  beyond: 1024,
  token: 16 * 1024,
  head: 80 * 1024,
  tail: 144 * 1024,
  pair: 208 * 1024,
  text: 336 * 1024,
  records: 352 * 1024,
} as const;
const PAGES = 7; // of 64 KB: the records may be as many as the bytes of a stretch

/** As much of it as is needed here: the platform has it, the language's own declarations do not. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: Kernel };
};

interface Kernel {
  run(from: number, to: number, inToken: number): number;
}

/** The same anchors as `anchorFinder`, several times as fast; null where vector instructions are missing. */
export function kernelFinder(tables: AnchorTables): AnchorFinder | null {
  const code = tokenKernel({ ...PLAN, notable: notableBorders(tables) });
  if (!WebAssembly.validate(code)) return null;
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } }).exports;
  new Uint8Array(memory.buffer, PLAN.follower).set(FOLLOWER);
  new Uint8Array(memory.buffer, PLAN.beyond).set(BEYOND);
  new Uint8Array(memory.buffer, PLAN.classes).set(CLASS);
  for (const byte of SEPARATORS) new Uint8Array(memory.buffer, PLAN.separators)[byte] = 1;
  for (const table of ['token', 'head', 'tail', 'pair'] as const)
    new Uint16Array(memory.buffer, PLAN[table]).set(tables[table]);
  const text = new Uint8Array(memory.buffer, PLAN.text - BEHIND, BEHIND + STRETCH + AHEAD);
  const records = new Int32Array(memory.buffer, PLAN.records);
  const lines = new Int32Array(memory.buffer, PLAN.lines, 2);

  function find(bytes: Buffer, from: number, to: number, out: AnchorBatch): number {
    const end = Math.min(to, from + STRETCH);
    const behind = Math.min(from, BEHIND);
    const seen = bytes.subarray(from - behind, end + AHEAD);
    if (behind < BEHIND) text.fill(0, 0, BEHIND);
    text.set(seen, BEHIND - behind);
    if (seen.length < behind + end - from + AHEAD) text.fill(0, BEHIND - behind + seen.length);
    const inToken = from > 0 && isAlnum(bytes[from - 1]!) ? 1 : 0;
    const count = run(PLAN.text, PLAN.text + end - from, inToken);
    const stopped = take(bytes, count, from - PLAN.text, out);
    if (stopped !== -1) {
      countLines(bytes, from, stopped, out.now);
      return stopped;
    }
    out.now.number += lines[0]!;
    if (lines[1] !== NO_LINE) out.now.start = lines[1]! + from - PLAN.text;
    return end;
  }

  /** Turns records into anchors. -1: all of them, else the place of the first that had no room. */
  function take(bytes: Buffer, count: number, shift: number, out: AnchorBatch): number {
    out.begin();
    for (let r = 0; r < count * FIELDS; r += FIELDS) {
      const at = records[r]! + shift;
      const sets = records[r + 1]!;
      if (out.full) return at;
      const one = sets & 0xffff;
      const other = (sets & ~BORDER) >>> 16;
      if (sets >= 0) noteToken(tables, bytes, at, one, other, out);
      else {
        if (one !== 0) out.add(at, one);
        if (other !== 0) out.add(at, other);
      }
    }
    return -1;
  }
  return { find };
}
