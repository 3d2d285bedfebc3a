/** Format: [MS-OXRTFCP] section 2. It is LZ77 with a preset dictionary, for which a library would be larger than this file. */
import { crc32 } from 'node:zlib';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { chunksOf } from '../../stream-chunks.ts';
import { readFully } from '../compound-file/chained-stream.ts';

const HEADER_BYTES = 16;
const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;
const WINDOW = 4096;
const MAX_REFERENCE_LENGTH = 17;
const BLOCK = 64 * 1024;

/** What every text may refer to from its beginning: the usual start of an RTF document. */
const DICTIONARY = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript ' +
    '\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n' +
    '\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
);

/** The body of a message as RTF [MS-OXRTFCP]: literal bytes, and references to the 4096 bytes before. */
export async function* decompressRtf(
  stream: RandomAccess,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array> {
  const header = await readFully(stream, 0, HEADER_BYTES, 'compressed RTF');
  const end = Math.min(stream.size, 4 + header.readUInt32LE(0));
  const kind = header.readUInt32LE(8);
  if (kind === UNCOMPRESSED) return yield* chunksOf(stream, HEADER_BYTES, end);
  if (kind !== COMPRESSED) throw new CorruptInput('compressed RTF');
  const unpacker = new RtfUnpacker();
  let checksum = 0;
  for await (const chunk of chunksOf(stream, HEADER_BYTES, end)) {
    // The polynomial is the usual one, but nothing is inverted.
    checksum = ~crc32(chunk, ~checksum >>> 0) >>> 0;
    for (const out of unpacker.push(chunk)) {
      budget.countDecompressed(out.length);
      yield out;
    }
  }
  if (!unpacker.ended) throw new CorruptInput('truncated compressed RTF');
  if (checksum !== header.readUInt32LE(12)) throw new CorruptInput('compressed RTF checksum');
}

class RtfUnpacker {
  readonly #window = Buffer.alloc(WINDOW);
  #at = DICTIONARY.length;
  /** One bit for each of eight tokens: whether it is a reference. */
  #bits = 0;
  #tokens = 0;
  /** The first half of a reference; -1: none. */
  #half = -1;
  #out = new Uint8Array(BLOCK);
  #used = 0;
  /** A reference to the current write position marks the end. */
  ended = false;

  constructor() {
    this.#window.set(DICTIONARY);
  }

  *push(chunk: Uint8Array): Generator<Uint8Array> {
    for (const byte of chunk) {
      if (this.ended) break;
      this.#take(byte);
      if (this.#used + MAX_REFERENCE_LENGTH < BLOCK) continue;
      yield this.#out.subarray(0, this.#used);
      this.#out = new Uint8Array(BLOCK);
      this.#used = 0;
    }
    if (this.#used > 0) yield this.#out.subarray(0, this.#used);
    this.#out = new Uint8Array(BLOCK);
    this.#used = 0;
  }

  #take(byte: number): void {
    if (this.#half !== -1) {
      this.#copy((this.#half << 4) | (byte >> 4), (byte & 15) + 2);
      this.#half = -1;
    } else if (this.#tokens === 0) {
      this.#bits = byte;
      this.#tokens = 8;
      return;
    } else if (this.#bits & 1) {
      this.#half = byte;
      return;
    } else {
      this.#put(byte);
    }
    this.#bits >>= 1;
    this.#tokens--;
  }

  #copy(from: number, length: number): void {
    this.ended = from === this.#at;
    for (let i = 0; i < length && !this.ended; i++) this.#put(this.#window[(from + i) % WINDOW]!);
  }

  #put(byte: number): void {
    this.#window[this.#at] = byte;
    this.#at = (this.#at + 1) % WINDOW;
    this.#out[this.#used++] = byte;
  }
}
