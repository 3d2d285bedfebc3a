/** What one object has cost so far, its insides included. Whoever spends asks first; beyond a limit that is refused. */
import { DEFAULT_LIMITS, type ExtractionLimits } from './limits.ts';
import { Limit } from './obstacle.ts';

export interface Spent {
  unpacked: number;
  entries: number;
  pages: number;
  cells: number;
  pictures: number;
}

export class Budget {
  readonly limits: ExtractionLimits;
  readonly spent: Spent;

  constructor(limits: ExtractionLimits = DEFAULT_LIMITS, spent: Readonly<Spent> = NOTHING) {
    this.limits = limits;
    this.spent = { ...spent };
  }

  /** Bytes came out of compressed data. */
  unpacked(bytes: number): void {
    this.spent.unpacked += bytes;
    if (this.spent.unpacked > this.limits.decompressedBytes) throw new Limit('decompressed size');
  }

  /** Bytes out of one compressed stream, for the bytes that went in. */
  ratio(out: number, taken: number): void {
    const { ratio, ratioFloor } = this.limits;
    if (out > Math.max(ratioFloor, ratio * taken)) throw new Limit('compression ratio');
  }

  entry(): void {
    if (++this.spent.entries > this.limits.entries) throw new Limit('entries');
  }

  page(): void {
    if (++this.spent.pages > this.limits.pages) throw new Limit('pages');
  }

  cells(count: number): void {
    this.spent.cells += count;
    if (this.spent.cells > this.limits.cells) throw new Limit('cells');
  }

  /** A picture is about to be read by OCR. */
  picture(): void {
    if (++this.spent.pictures > this.limits.pictures) throw new Limit('pictures');
  }
}

const NOTHING: Spent = { unpacked: 0, entries: 0, pages: 0, cells: 0, pictures: 0 };
