import { crc32 } from 'node:zlib';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { CorruptInput, ExtractionError } from '../../extraction-error.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { unpackFolder } from './seven-zip-coders.ts';
import type { DataExtent, Folder } from './seven-zip-streams.ts';

/** The unpacked content of a folder, file after file. Files that are skipped are unpacked only if a later one is read. */
export class FolderBytes {
  readonly #queues: readonly ByteQueue[];
  readonly #budget: ExtractionBudget;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #out = 0;
  #at = 0;
  #error: ExtractionError | null = null;

  /** `packed`: the folder's packed streams, to their ends. */
  constructor(folder: Folder, packed: readonly AsyncGenerator<Uint8Array>[], budget: ExtractionBudget) {
    this.#queues = packed.map((stream) => new ByteQueue(stream));
    this.#budget = budget;
    this.#chunks = unpackFolder(folder, this.#queues, budget.windows);
  }

  /** The file that begins at `from`. */
  async *file(from: number, { size, sum }: DataExtent): AsyncGenerator<Uint8Array> {
    while (this.#at < from) await this.#next(from - this.#at);
    let crc = 0;
    while (this.#at < from + size) {
      const part = await this.#next(from + size - this.#at);
      crc = crc32(part, crc);
      yield part;
    }
    if (sum !== null && sum !== crc) throw new CorruptInput('7z checksum');
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #next(max: number): Promise<Uint8Array> {
    // The files after a damaged one can't be read either.
    if (this.#error !== null) throw this.#error;
    if (this.#rest.length === 0) this.#rest = await this.#chunk();
    const part = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(part.length);
    this.#at += part.length;
    return part;
  }

  async #chunk(): Promise<Uint8Array> {
    try {
      const { value, done } = await this.#chunks.next();
      if (done === true) throw new CorruptInput('truncated 7z data');
      this.#out += value.length;
      this.#budget.countDecompressed(value.length);
      this.#budget.checkRatio(
        this.#out,
        this.#queues.reduce((sum, { taken }) => sum + taken, 0),
      );
      return value;
    } catch (error) {
      if (error instanceof ExtractionError) this.#error = error;
      throw error;
    }
  }
}
