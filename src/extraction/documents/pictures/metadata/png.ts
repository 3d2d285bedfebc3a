/** PNG: W3C "Portable Network Graphics (PNG) Specification (Third Edition)", sections 5 and 11.3. */
import { inflateSync } from 'node:zlib';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { ReadWindow } from '../read-window.ts';
import { type Block, MAX_BLOCK_LENGTH, textOf } from './block.ts';

const PROFILE = /^Raw profile type (exif|APP1|xmp|iptc|8bim)$/;
const XMP_KEYWORD = 'XML:com.adobe.xmp';
const WANTED: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf']);
const latin = new TextDecoder('latin1');

/** Text and EXIF chunks, before and after the picture data. */
export async function* pngBlocks(input: RandomAccess, budget: ExtractionBudget): AsyncGenerator<Block> {
  const window = new ReadWindow(input);
  for (let at = 8; ; ) {
    const head = await window.read(at, at + 8);
    if (head.length < 8) throw new CorruptInput('truncated PNG image');
    const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
    const type = latin.decode(head.subarray(4));
    if (type === 'IEND') return;
    if (at + 12 + length > input.size) throw new CorruptInput('truncated PNG image');
    if (WANTED.has(type)) {
      if (length > MAX_BLOCK_LENGTH) throw new LimitExceeded('picture metadata');
      yield* chunkBlocks(type, await window.read(at + 8, at + 8 + length), budget);
    }
    at += 12 + length;
  }
}

function* chunkBlocks(type: string, chunk: Uint8Array, budget: ExtractionBudget): Generator<Block> {
  if (type === 'eXIf') {
    yield { is: 'exif', bytes: chunk };
    return;
  }
  const [keyword, rest] = cut(chunk);
  const name = latin.decode(keyword);
  if (type === 'tEXt') yield textBlock(name, textOf(rest));
  // One byte specifies the compression method: only one is defined.
  if (type === 'zTXt') yield textBlock(name, textOf(inflate(rest.subarray(1), budget)));
  if (type === 'iTXt') yield* internationalBlocks(name, rest, budget);
}

/** Whether and how it is compressed, the language, the keyword in it, and the text. */
function* internationalBlocks(name: string, rest: Uint8Array, budget: ExtractionBudget): Generator<Block> {
  const compressed = cut(cut(rest.subarray(2))[1])[1];
  const bytes = rest[0] === 1 ? inflate(compressed, budget) : compressed;
  if (name === XMP_KEYWORD) yield { is: 'xmp', bytes };
  else yield textBlock(name, textOf(bytes));
}

/** A text as it is; before there were chunks for them, EXIF and others were written as texts in hexadecimal digits. */
function textBlock(name: string, text: string): Block {
  const profile = PROFILE.exec(name)?.[1];
  if (profile === undefined) return { is: 'text', name, text };
  // Preceded by its name and length.
  const bytes = Buffer.from(text.replace(/^\s*\S+\s+\d+/, '').replace(/\s+/g, ''), 'hex');
  if (profile === 'xmp') return { is: 'xmp', bytes };
  if (profile === 'iptc' || profile === '8bim') return { is: 'photoshop', bytes };
  return { is: 'exif', bytes: bytes.subarray(bytes.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0) };
}

/** The parts before and after the first zero. */
function cut(bytes: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const zero = bytes.indexOf(0);
  if (zero === -1) throw new CorruptInput('PNG text');
  return [bytes.subarray(0, zero), bytes.subarray(zero + 1)];
}

function inflate(bytes: Uint8Array, budget: ExtractionBudget): Uint8Array {
  const text = inflated(bytes);
  budget.countDecompressed(text.length);
  budget.checkRatio(text.length, bytes.length);
  return text;
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_BLOCK_LENGTH });
  } catch (error) {
    if (error instanceof RangeError) throw new LimitExceeded('picture metadata');
    throw new CorruptInput('PNG text');
  }
}
