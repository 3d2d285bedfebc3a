/** CRC-64 (ECMA-182, reflected): "The .xz File Format" 1.2.1, section 6. node:zlib has CRC-32 only. */
import {
  addTo,
  type Code,
  encodeModule,
  i32,
  i64,
  type Local,
  Locals,
  type WasmFunction,
  whileTrue,
} from '../../../../base/wasm/assembler.ts';
import { compile, instantiate } from '../../../../base/wasm/instance.ts';

const POLYNOMIAL = 0xc96c5795d7870f42n;

// Memory: sixteen tables of 256 entries, the n-th for a byte followed by n more; the sum; the input.
const TABLE_BYTES = 256 * 8;
const TABLES = 16;
const SUM = TABLES * TABLE_BYTES;
const BYTES = SUM + 8;
const MAX_COUNT = 32 * 1024;
const PAGES = Math.ceil((BYTES + MAX_COUNT) / 65536);

/** CRC-64 as xz uses it. */
export class Crc64 {
  #sum = -1n;

  update(bytes: Uint8Array): void {
    const { add, memory, sum } = summer();
    sum[0] = this.#sum;
    for (let at = 0; at < bytes.length; at += MAX_COUNT) {
      const part = bytes.subarray(at, at + MAX_COUNT);
      memory.set(part, BYTES);
      add(BYTES, BYTES + part.length);
    }
    this.#sum = sum[0];
  }

  /** Eight bytes, the lowest first. */
  digest(): Uint8Array {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, ~this.#sum, true);
    return bytes;
  }
}

interface Summer {
  readonly add: (from: number, to: number) => number;
  readonly memory: Uint8Array;
  readonly sum: BigInt64Array;
}

let made: Summer | undefined;

/** It keeps nothing between calls, so a thread needs only one. */
function summer(): Summer {
  made ??= makeSummer();
  return made;
}

function makeSummer(): Summer {
  const module = compile(encodeModule([addBytes()]))!;
  const { functions, memory } = instantiate<Pick<Summer, 'add'>>(module, PAGES);
  fillTables(new BigUint64Array(memory, 0, TABLES * 256));
  return { add: functions.add, memory: new Uint8Array(memory), sum: new BigInt64Array(memory, SUM, 1) };
}

function fillTables(tables: BigUint64Array): void {
  for (let i = 0; i < 256; i++) {
    let sum = BigInt(i);
    for (let bit = 0; bit < 8; bit++) sum = (sum >> 1n) ^ (sum & 1n ? POLYNOMIAL : 0n);
    tables[i] = sum;
  }
  for (let i = 256; i < TABLES * 256; i++) {
    const before = tables[i - 256]!;
    tables[i] = (before >> 8n) ^ tables[Number(before & 0xffn)]!;
  }
}

/** `add(from, to)`: sixteen bytes at a time, then one by one. */
function addBytes(): WasmFunction {
  const locals = new Locals(2);
  const [at, to] = [locals.param(0), locals.param(1)];
  const [sum, next] = [locals.i64(), locals.i64()];
  // `eightfold`: a byte's offset in a table of eight-byte entries; other bits are masked.
  const lookUp = (table: number, eightfold: Code) =>
    i64.load(table * TABLE_BYTES, i32.and(i32.wrap(eightfold), i32.const(0xff << 3)));
  const lowest = (bits: Code) => i64.shl(bits, i64.const(3));
  const byLocation = (word: Local, behind: number) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((place) =>
      lookUp(
        behind + 7 - place,
        place === 0 ? lowest(word.get) : i64.shrU(word.get, i64.const(8 * place - 3)),
      ),
    );
  const one = i64.xor(
    i64.shrU(sum.get, i64.const(8)),
    lookUp(0, lowest(i64.xor(sum.get, i64.extend(i32.load8(0, at.get))))),
  );
  const body = [
    sum.set(i64.load(SUM, i32.const(0))),
    whileTrue(i32.geU(i32.sub(to.get, at.get), i32.const(TABLES)), [
      sum.set(i64.xor(sum.get, i64.load(0, at.get))),
      next.set(i64.load(8, at.get)),
      sum.set(i64.xor(allOf(byLocation(next, 0)), allOf(byLocation(sum, 8)))),
      addTo(at, i32.const(TABLES)),
    ]),
    whileTrue(i32.ltU(at.get, to.get), [sum.set(one), addTo(at, i32.const(1))]),
    i64.store(SUM, i32.const(0), sum.get),
    i32.const(0),
  ];
  return { name: 'add', locals, body };
}

/** In pairs, so that few of them wait for others. */
function allOf(parts: readonly Code[]): Code {
  if (parts.length === 1) return parts[0]!;
  const half = parts.length / 2;
  return i64.xor(allOf(parts.slice(0, half)), allOf(parts.slice(half)));
}
