import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Bytes examined to detect the encoding. */
const DECLARATION_BYTES = 256;

type Decode = (bytes: Uint8Array, last: boolean) => string;

/** A streaming decoder for XML. UTF-8 unless a byte order mark or the declaration specifies otherwise. */
export class XmlDecoder {
  #decode: Decode | null = null;
  #head: Uint8Array = new Uint8Array(0);

  /** Returns nothing before the encoding is known. */
  push(bytes: Uint8Array): string {
    if (this.#decode !== null) return this.#decode(bytes, false);
    this.#head = Buffer.concat([this.#head, bytes]);
    return this.#head.length < DECLARATION_BYTES ? '' : this.#begin(false);
  }

  end(): string {
    return this.#decode === null ? this.#begin(true) : this.#decode(new Uint8Array(0), true);
  }

  #begin(last: boolean): string {
    const head = this.#head;
    this.#head = new Uint8Array(0);
    const label = labelOf(head);
    this.#decode = label === 'utf-8' ? utf8Decode() : labelledDecode(label);
    const text = this.#decode(head, last);
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}

function labelOf(head: Uint8Array): string {
  const [a, b, c, d] = head;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && c !== 0 && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0 && d !== 0)) return 'utf-16be';
  const start = Buffer.from(head.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]?.toLowerCase();
  // A declaration that could be read as single bytes can't be in UTF-16 or UTF-32, whatever it declares.
  return declared === undefined || /^(us-ascii|utf|ucs)/.test(declared) ? 'utf-8' : declared;
}

/** Whole sequences are decoded in bulk; one that the chunk cuts waits for its rest. */
function utf8Decode(): Decode {
  let cut = Buffer.alloc(0);
  return (bytes, last) => {
    const all = cut.length === 0 ? bytes : Buffer.concat([cut, bytes]);
    const end = last ? all.length : wholeSequences(all);
    cut = Buffer.from(all.subarray(end));
    const whole = Buffer.from(all.buffer, all.byteOffset, end);
    return whole.toString(isAscii(whole) ? 'latin1' : 'utf8');
  };
}

/** How far the bytes go without the beginning of a sequence at their end. */
function wholeSequences(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function labelledDecode(label: string): Decode {
  const decoder = decoderOf(label);
  return (bytes, last) => decoder.decode(bytes, { stream: !last });
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('latin1');
  }
}
