import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { EmbeddedEntry } from '../../document-item.ts';
import { LimitExceeded } from '../../extraction-error.ts';
import { digitOf } from './rtf-tokens.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** A document within a document, written in hexadecimal. It has to be whole before it can be read. */
export class RtfObject {
  #parts: Uint8Array[] = [];
  #length = 0;
  #digit = -1;

  hex(bytes: Uint8Array, from: number, to: number): void {
    const part = new Uint8Array((to - from + 1) >> 1);
    let used = 0;
    for (let i = from; i < to; i++) {
      const digit = digitOf(bytes[i]!);
      if (digit === -1) continue;
      if (this.#digit === -1) this.#digit = digit;
      else {
        part[used++] = this.#digit * 16 + digit;
        this.#digit = -1;
      }
    }
    this.raw(part.subarray(0, used));
  }

  raw(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > MAX_BYTES) throw new LimitExceeded('embedded object');
    if (bytes.length > 0) this.#parts.push(bytes);
  }

  /** null: a link, or nothing. */
  entry(name: string, budget: ExtractionBudget): EmbeddedEntry | null {
    const bytes = nativeData(Buffer.concat(this.#parts));
    if (bytes === null) return null;
    budget.countEntry();
    return { is: 'entry', name, bytes: once(bytes) };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** [MS-OLEDS] ObjectHeader: a version, 2 for an object that is embedded, three strings, a length, the data. */
function nativeData(bytes: Buffer): Buffer | null {
  if (bytes.length < 8 || bytes.readUInt32LE(4) !== 2) return null;
  let at = 8;
  for (let string = 0; string < 3; string++) {
    if (at + 4 > bytes.length) return null;
    at += 4 + bytes.readUInt32LE(at);
  }
  return at + 4 < bytes.length ? bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)) : null;
}
