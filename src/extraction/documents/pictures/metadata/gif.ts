/** GIF89a specification (CompuServe, 1990), sections 15 to 27. */
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { ReadWindow } from '../read-window.ts';
import { type Block, MAX_BLOCK_LENGTH, textOf } from './block.ts';

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
const XMP = 'XMP DataXMP';
/** The "magic trailer" of an XMP packet: from any position in it, a parser of sub-blocks gets to the end. */
const SLIDE = 257;

/** Comments and XMP. Frames and other extensions are passed over, length by length. */
export async function* gifBlocks(input: RandomAccess): AsyncGenerator<Block> {
  const window = new ReadWindow(input);
  for await (const { code, at } of gifParts(window)) {
    if (code === COMMENT) yield { is: 'text', name: 'Comment', text: textOf(await rowOf(window, at)) };
    if (code === APPLICATION) yield* xmpOf(window, at);
  }
}

/** The packet is stored verbatim, so the lengths of its sub-blocks are characters of it. */
async function* xmpOf(window: ReadWindow, at: number): AsyncGenerator<Block> {
  const start = at + 1 + XMP.length;
  if (textOf(await window.read(at + 1, start)) !== XMP) return;
  let end = start;
  for await (const block of subBlocks(window, start)) end += 1 + block.length;
  if (end - start > MAX_BLOCK_LENGTH) throw new LimitExceeded('picture metadata');
  yield { is: 'xmp', bytes: Buffer.from(await window.read(start, Math.max(start, end - SLIDE))) };
}

/** Whether more than one frame is shown; a truncated file shows what it has. */
export async function isAnimatedGif(input: RandomAccess): Promise<boolean> {
  let frames = 0;
  try {
    for await (const { code } of gifParts(new ReadWindow(input)))
      if (code === IMAGE && ++frames > 1) return true;
  } catch (error) {
    if (!(error instanceof CorruptInput)) throw error;
  }
  return false;
}

interface Part {
  /** The extension's, or IMAGE. */
  readonly code: number;
  /** Where its row of sub-blocks begins. */
  readonly at: number;
}

async function* gifParts(window: ReadWindow): AsyncGenerator<Part> {
  const screen = await window.read(0, 13);
  if (screen.length < 13) throw new CorruptInput('truncated GIF image');
  for (let at = 13 + tableLength(screen[10]!); ; ) {
    const head = await window.read(at, at + 10);
    if (head[0] === TRAILER) return;
    if (head.length < 2) throw new CorruptInput('truncated GIF image');
    if (head[0] !== IMAGE && head[0] !== EXTENSION) throw new CorruptInput('GIF image');
    const start = head[0] === IMAGE ? at + 11 + tableLength(head[9] ?? 0) : at + 2;
    yield { code: head[0] === IMAGE ? IMAGE : head[1]!, at: start };
    at = start;
    for await (const block of subBlocks(window, start)) at += 1 + block.length;
    at++;
  }
}

/** A colour table follows if the highest bit is set. */
function tableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

async function* subBlocks(window: ReadWindow, start: number): AsyncGenerator<Uint8Array> {
  for (let at = start; ; ) {
    const [length] = await window.read(at, at + 1);
    if (length === 0) return;
    const block = await window.read(at + 1, at + 1 + (length ?? 0));
    if (length === undefined || block.length < length) throw new CorruptInput('truncated GIF image');
    yield block;
    at += 1 + length;
  }
}

async function rowOf(window: ReadWindow, start: number): Promise<Uint8Array> {
  const row: Uint8Array[] = [];
  let length = 0;
  for await (const block of subBlocks(window, start)) {
    length += block.length;
    if (length > MAX_BLOCK_LENGTH) throw new LimitExceeded('picture metadata');
    row.push(block);
  }
  return Buffer.concat(row);
}
