import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import type { Chain, SectorChains } from './sector-chains.ts';

/** The location of sectors and their chains. */
export interface Sectors {
  readonly base: RandomAccess;
  /** Where sector 0 begins in it. */
  readonly start: number;
  /** The bytes of a sector. */
  readonly bytes: number;
  readonly chains: SectorChains;
}

/**
 * A stream of a compound file. If its chain is broken or the file truncated, a read is short, and reads after that throw: what precedes
 * the damage can be read.
 */
export class ChainedStream implements RandomAccess {
  readonly size: number;
  readonly #sectors: Sectors;
  readonly #first: number;
  #chain: Chain | null = null;

  constructor(sectors: Sectors, first: number, size: number) {
    this.#sectors = sectors;
    this.#first = first;
    this.size = size;
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    const end = Math.min(to, this.size);
    if (from >= end) return new Uint8Array(0);
    const parts: Uint8Array[] = [];
    for (let at = from; at < end; at += parts.at(-1)!.length) {
      const part = await this.#readRun(at, end);
      if (part === null || part.length === 0) break;
      parts.push(part);
    }
    if (parts.length === 0) throw new CorruptInput('chain of sectors');
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** Reads as far as the sectors are contiguous. */
  async #readRun(from: number, to: number): Promise<Uint8Array | null> {
    const { base, start, bytes, chains } = this.#sectors;
    this.#chain ??= chains.follow(this.#first, Math.ceil(this.size / bytes));
    const { starts, ends } = this.#chain;
    const run = runOf(ends, Math.floor(from / bytes));
    if (run === ends.length) return null;
    const skipped = from - (ends[run - 1] ?? 0) * bytes;
    const at = start + starts[run]! * bytes + skipped;
    return base.read(at, at + Math.min(to, ends[run]! * bytes) - from);
  }
}

/** The first run that ends after the sector. */
function runOf(ends: readonly number[], sector: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! > sector) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Reads a chain whose size is not stored. */
export async function readChain(
  { base, start, bytes, chains }: Sectors,
  first: number,
  max: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
  const { starts, ends, whole } = chains.follow(first, Math.ceil(max / bytes));
  const parts: Uint8Array[] = [];
  for (const [run, sector] of starts.entries()) {
    const count = ends[run]! - (ends[run - 1] ?? 0);
    parts.push(await base.read(start + sector * bytes, start + (sector + count) * bytes));
  }
  return { bytes: Buffer.concat(parts), whole };
}

/** Exactly `[from, to)`; what is not there is damage. */
export async function readFully(
  input: RandomAccess,
  from: number,
  to: number,
  what: string,
): Promise<Buffer> {
  if (to > input.size) throw new CorruptInput(`truncated ${what}`);
  const bytes = await input.read(from, to);
  if (bytes.length < to - from) throw new CorruptInput(`truncated ${what}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
