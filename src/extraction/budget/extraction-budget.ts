/** The cost of one object so far, including its content. Every cost is counted before it is incurred; above a limit counting throws. */

import { LimitExceeded } from '../extraction-error.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from './limits.ts';
import { type LargeWindows, WindowMemory } from './window-memory.ts';

export interface ExtractionUsage {
  /** Bytes of the object itself. */
  input: number;
  /** Bytes of text. */
  text: number;
  /**
   * CPU time in milliseconds: of the thread, of the process that reads documents (its start included), and an estimate for what
   * is decompressed outside of the thread.
   */
  cpuMs: number;
  decompressed: number;
  entries: number;
  pages: number;
  cells: number;
  pictures: number;
}

export class ExtractionBudget {
  readonly limits: ExtractionLimits;
  readonly usage: ExtractionUsage;
  readonly windows: WindowMemory;

  /** Called whenever something is counted: decompression is progress, also while the source yields nothing. */
  readonly #onProgress: () => void;
  readonly #cpuMs: () => number;
  #since: number;
  /** CPU time of the process that reads a document now, as it last reported it. It is part of `spent` when the document has ended. */
  readerMs = 0;

  /** `cpuMs`: of the thread or process that spends it; `since`: what of it belongs to earlier objects. */
  constructor(
    limits: ExtractionLimits = DEFAULT_LIMITS,
    usage: ExtractionUsage = { ...NO_USAGE },
    onProgress: () => void = () => {},
    cpuMs: () => number = threadCpuMs,
    since: number = cpuMs(),
    large?: LargeWindows,
  ) {
    this.limits = limits;
    this.usage = usage;
    this.#onProgress = onProgress;
    this.#cpuMs = cpuMs;
    this.#since = since;
    this.windows = new WindowMemory(limits.windowBytes, large, onProgress);
  }

  /**
   * Must be called after every chunk. It ends extraction in an orderly way; a reader that doesn't call it is killed by
   * isolation/reader-watchdog.ts.
   */
  check(): void {
    this.addCpuTime();
    if (this.usage.cpuMs + this.readerMs > this.#maxCpuMs) throw new LimitExceeded('time');
    const { textRatio, textFloor } = this.limits;
    if (this.usage.text > Math.max(textFloor, textRatio * this.usage.input))
      throw new LimitExceeded('text size');
  }

  /** Adds the CPU time up to now. */
  addCpuTime(): void {
    const now = this.#cpuMs();
    this.usage.cpuMs += now - this.#since;
    this.#since = now;
  }

  /**
   * For the process that reads a document: the same limits as totals, as that process does not see the object. It
   * has a little longer than its CPU time may be: it should end by itself. Windows that are in use here are in use meanwhile.
   */
  documentLimits(ocr: boolean): ExtractionLimits {
    const { limits } = this;
    const left = Math.max(0, this.#maxCpuMs - this.usage.cpuMs) / 1000;
    // How many pictures there are to read is not known before.
    const seconds = ocr ? limits.documentSeconds : Math.min(limits.documentSeconds, left + GRACE_SECONDS);
    const total = this.#maxCpuMs / 1000 - PICTURE_SECONDS * this.usage.pictures;
    const windowBytes = this.windows.left;
    const { documentMegabytes } = this;
    const totals = { documentSeconds: seconds, seconds: total, secondsPerMegabyte: 0 };
    return { ...limits, ...totals, windowBytes, documentMegabytes };
  }

  /** Of the process that reads a document: less while windows are large here, so that both together don't have much more. */
  get documentMegabytes(): number {
    const { documentMegabytes } = this.limits;
    return this.windows.isLarge ? Math.ceil(SHARE_BESIDE_WINDOWS * documentMegabytes) : documentMegabytes;
  }

  get #maxCpuMs(): number {
    const { seconds, secondsPerMegabyte } = this.limits;
    const { input, pictures } = this.usage;
    return 1000 * (seconds + PICTURE_SECONDS * pictures) + (secondsPerMegabyte * input) / 1000;
  }

  /** Counts the output of decompression. */
  countDecompressed(bytes: number): void {
    this.#onProgress();
    this.usage.decompressed += bytes;
    this.usage.cpuMs += bytes / UNPACKED_BYTES_PER_MS;
    if (this.usage.decompressed > this.limits.decompressedBytes) throw new LimitExceeded('decompressed size');
  }

  /** Bytes out of one compressed stream, for the bytes that went in. */
  checkRatio(out: number, taken: number): void {
    const { ratio, ratioFloor } = this.limits;
    if (out > Math.max(ratioFloor, ratio * taken)) throw new LimitExceeded('compression ratio');
  }

  countEntry(): void {
    this.#onProgress();
    if (++this.usage.entries > this.limits.entries) throw new LimitExceeded('entries');
  }

  countPage(): void {
    if (++this.usage.pages > this.limits.pages) throw new LimitExceeded('pages');
  }

  countCells(count: number): void {
    this.usage.cells += count;
    if (this.usage.cells > this.limits.cells) throw new LimitExceeded('cells');
  }

  /** A picture is about to be read by OCR. */
  countPicture(): void {
    if (++this.usage.pictures > this.limits.pictures) throw new LimitExceeded('pictures');
  }
}

const GRACE_SECONDS = 2;
const SHARE_BESIDE_WINDOWS = 5 / 8;
/** node:zlib decompresses in threads of its own, whose CPU time no thread can see: 500 MB/s are assumed. */
const UNPACKED_BYTES_PER_MS = 500_000;
/** OCR is the slowest step, and only runs if the rules enable it. */
const PICTURE_SECONDS = 15;

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const NO_USAGE: ExtractionUsage = {
  input: 0,
  text: 0,
  cpuMs: 0,
  decompressed: 0,
  entries: 0,
  pages: 0,
  cells: 0,
  pictures: 0,
};
