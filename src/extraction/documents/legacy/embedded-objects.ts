import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, EmbeddedEntry } from '../../document-item.ts';
import { LimitExceeded } from '../../extraction-error.ts';
import { decoderOf } from '../code-page.ts';
import { PartErrors } from '../part-errors.ts';
import { chunksOf } from '../stream-chunks.ts';
import type { ChainedStream } from './compound-file/chained-stream.ts';
import type { Storage } from './compound-file/compound-directory.ts';
import { uint32 } from './excel/biff-records.ts';
import { nestLocation } from './nested-location.ts';

/** Excel stores its objects next to the workbook, Word in a pool. */
const EXCEL_OBJECT = /^(MBD|LNK)[0-9A-F]{8}$/;
const PACKAGE = 'Package';
const NATIVE = '\x01Ole10Native';
const FORMULA = 'Equation Native';
const HEAD_BYTES = 4096;

/** Reads a document that is stored in this storage; null: there is none. */
export type ReadStored = (storage: Storage, depth: number) => AsyncGenerator<DocumentItem> | null;

/** Documents and files that are embedded in a document as objects. Formulas, diagrams and controls are skipped. */
export async function* embeddedObjects(
  document: Storage,
  budget: ExtractionBudget,
  depth: number,
  readStored: ReadStored,
): AsyncGenerator<DocumentItem> {
  const pool = document.storage('ObjectPool')?.storagesLike(/^/) ?? [];
  const objects = [...pool, ...document.storagesLike(EXCEL_OBJECT)];
  const errors = new PartErrors();
  for (const [i, object] of objects.entries()) {
    yield* errors.attempt(nestLocation(`object ${i + 1}`, readObject(object, budget, depth, readStored)));
  }
  errors.throwFirst();
}

/** An embedded object: a compound document, an Office Open XML package, or a file. */
export async function* readObject(
  object: Storage,
  budget: ExtractionBudget,
  depth: number,
  readStored: ReadStored,
): AsyncGenerator<DocumentItem> {
  if (depth >= budget.limits.depth) throw new LimitExceeded('depth');
  budget.countEntry();
  const stored = readStored(object, depth + 1);
  if (stored !== null) yield* stored;
  const packaged = object.stream(PACKAGE);
  if (packaged !== null) yield wholeStream(packaged, 'package');
  const native = object.stream(NATIVE);
  if (native !== null) yield await nativeFile(native);
  const contents = await pdfOf(object);
  if (contents !== null) yield wholeStream(contents, 'contents.pdf');
}

/** Whether a storage that is no document is an object that can be read, or a formula, which has nothing to read. */
export async function holdsObject(object: Storage): Promise<boolean> {
  if ([PACKAGE, NATIVE, FORMULA].some((name) => object.stream(name) !== null)) return true;
  return (await pdfOf(object)) !== null;
}

function wholeStream(stream: ChainedStream, name: string): EmbeddedEntry {
  return { is: 'entry', name, bytes: chunksOf(stream, 0, stream.size) };
}

/** The contents of many controls are called the same. */
async function pdfOf(object: Storage): Promise<ChainedStream | null> {
  const contents = object.stream('CONTENTS');
  const head = contents === null ? null : Buffer.from(await contents.read(0, 5));
  return head?.toString('latin1') === '%PDF-' ? contents : null;
}

/** A length, and then a file with its names before it, or just data. */
async function nativeFile(stream: ChainedStream): Promise<EmbeddedEntry> {
  const head = Buffer.from(await stream.read(0, HEAD_BYTES));
  const file = fileIn(head);
  const from = file?.from ?? 4;
  const to = file === null ? stream.size : Math.min(stream.size, file.from + file.length);
  return { is: 'entry', name: file?.name || 'file', bytes: chunksOf(stream, from, to) };
}

/** Two strings (name and origin), eight bytes of which four are a length, a third string, the data's length. */
function fileIn(head: Buffer): { name: string; from: number; length: number } | null {
  const nameEnd = head.indexOf(0, 6);
  const pathEnd = nameEnd === -1 ? -1 : head.indexOf(0, nameEnd + 1);
  if (pathEnd === -1) return null;
  const at = pathEnd + 9 + uint32(head, pathEnd + 5);
  if (head.readUInt16LE(4) !== 2 || at + 4 > head.length) return null;
  const name = decoderOf(1252).decode(head.subarray(6, nameEnd));
  return { name, from: at + 4, length: uint32(head, at) };
}
