import type { RandomAccess } from '../../../document-item.ts';
import { ExtractionError } from '../../../extraction-error.ts';
import { readFully } from '../compound-file/chained-stream.ts';
import { wordsOf } from '../compound-file/sector-tables.ts';
import { uint32 } from '../excel/biff-records.ts';
import { powerPointRecords } from './powerpoint-records.ts';

const DOCUMENT = 0x3e8;
export const SLIDE_LIST = 0xff0;
export const SLIDE_REFERENCE = 0x3f3;
const USER_EDIT = 0xff5;
const DIRECTORY = 0x1772;
/** Limits: presentations are saved incrementally a few dozen times before they are rewritten, and have about as many objects as shapes. */
const MAX_EDITS = 10_000;
const MAX_OBJECTS = 1_000_000;

/** The numbers of slides, by their stream offset and by their id. */
export interface SlideNumbers {
  readonly byOffset: ReadonlyMap<number, number>;
  readonly byId: ReadonlyMap<number, number>;
}

/**
 * Each save appends the changed objects, and a directory of their offsets; the newest is read first. The document lists the slides in
 * order. If any of this is damaged, slides have no numbers.
 */
export async function slideNumbers(stream: RandomAccess, newestEdit: number): Promise<SlideNumbers> {
  const byOffset = new Map<number, number>();
  const byId = new Map<number, number>();
  try {
    const { offsets, document } = await objectOffsets(stream, newestEdit);
    let number = 0;
    for await (const { object, id } of slidesOf(stream, offsets.get(document) ?? stream.size)) {
      number++;
      byId.set(id, number);
      byOffset.set(offsets.get(object) ?? 0, number);
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
  }
  return { byOffset, byId };
}

async function objectOffsets(
  stream: RandomAccess,
  newestEdit: number,
): Promise<{ offsets: Map<number, number>; document: number }> {
  const offsets = new Map<number, number>();
  let document: number | null = null;
  let edit = newestEdit;
  for (let i = 0; i < MAX_EDITS; i++) {
    const head = await readFully(stream, edit, edit + 28, 'PowerPoint document');
    if (head.readUInt16LE(2) !== USER_EDIT) break;
    document ??= head.readUInt32LE(24);
    await addDirectory(stream, head.readUInt32LE(20), offsets);
    const before = head.readUInt32LE(16);
    if (before === 0 || before >= edit) break;
    edit = before;
  }
  return { offsets, document: document ?? 0 };
}

/** Runs of objects with consecutive ids: the first id, the count, and the offset of each. */
async function addDirectory(stream: RandomAccess, at: number, offsets: Map<number, number>): Promise<void> {
  const head = await readFully(stream, at, at + 8, 'PowerPoint document');
  const length = head.readUInt32LE(4);
  if (head.readUInt16LE(2) !== DIRECTORY || offsets.size + length / 4 > MAX_OBJECTS) return;
  const words = wordsOf(await readFully(stream, at + 8, at + 8 + length, 'PowerPoint document'));
  for (let i = 0; i < words.length; ) {
    const first = words[i]! & 0xfffff;
    const count = words[i]! >>> 20;
    i++;
    for (let j = 0; j < count && i < words.length; j++, i++) {
      if (!offsets.has(first + j)) offsets.set(first + j, words[i]!);
    }
  }
}

async function* slidesOf(stream: RandomAccess, at: number): AsyncGenerator<{ object: number; id: number }> {
  const head = await readFully(stream, at, at + 8, 'PowerPoint document');
  if (head.readUInt16LE(2) !== DOCUMENT) return;
  const range = { from: at + 8, to: at + 8 + head.readUInt32LE(4) };
  for await (const list of powerPointRecords(stream, range, new Set())) {
    if (list.type !== SLIDE_LIST || list.instance !== 0) continue;
    for await (const slide of powerPointRecords(stream, list, new Set([SLIDE_REFERENCE]))) {
      if (slide.type !== SLIDE_REFERENCE) continue;
      const bytes = await readFully(stream, slide.from, slide.from + 16, 'PowerPoint document');
      yield { object: uint32(bytes, 0), id: uint32(bytes, 12) };
    }
  }
}
