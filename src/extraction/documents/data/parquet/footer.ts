/** The metadata at a file's end: the columns, and the locations of each row group's chunks. */

import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, Encrypted, LimitExceeded } from '../../../extraction-error.ts';
import { type Column, columnsOf, readElement, type SchemaElement } from './schema.ts';
import { Thrift } from './thrift.ts';

const WHAT = 'Parquet metadata';
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_ELEMENTS = 200_000;
const MAX_NOTES = 10_000;
const TRAILER = 8;

export interface Footer {
  readonly columns: readonly Column[];
  notes(): Generator<Note>;
  /** One after another: of all together there may be millions of chunks. */
  rowGroups(): Generator<RowGroup>;
}

/** A metadata entry of the file. */
export interface Note {
  readonly key: string;
  readonly value: Uint8Array;
}

export interface RowGroup {
  readonly rows: number;
  /** In the order of the columns. */
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  readonly encrypted: boolean;
  /** The data is in another file. */
  readonly elsewhere: boolean;
  readonly type: number;
  readonly codec: number;
  readonly values: number;
  readonly start: number;
  readonly end: number;
}

export async function readFooter(input: RandomAccess): Promise<Footer> {
  const bytes = await footerBytes(input);
  const thrift = new Thrift(bytes, WHAT);
  const elements: SchemaElement[] = [];
  let groups = -1;
  let notes = -1;
  thrift.struct((field) => {
    if (field === 2) thrift.list(() => elements.push(readSchemaElement(thrift, elements.length)));
    else if (field === 4) groups = thrift.at;
    else if (field === 5) notes = thrift.at;
  });
  if (groups === -1) throw new CorruptInput(WHAT);
  const columns = columnsOf(elements);
  return {
    columns,
    notes: () => notesOf(bytes, notes),
    rowGroups: () => rowGroups(new Thrift(bytes, WHAT, groups), columns.length),
  };
}

async function footerBytes(input: RandomAccess): Promise<Uint8Array> {
  const trailer = Buffer.from(await input.read(Math.max(0, input.size - TRAILER), input.size));
  const magic = trailer.toString('latin1', 4);
  if (magic === 'PARE') throw new Encrypted();
  if (trailer.length < TRAILER || magic !== 'PAR1') throw new CorruptInput('truncated Parquet file');
  const length = trailer.readUInt32LE(0);
  if (length > input.size - TRAILER - 4) throw new CorruptInput(WHAT);
  if (length > MAX_BYTES) throw new LimitExceeded(WHAT);
  return input.read(input.size - TRAILER - length, input.size - TRAILER);
}

function readSchemaElement(thrift: Thrift, before: number): SchemaElement {
  if (before >= MAX_ELEMENTS) throw new LimitExceeded('Parquet columns');
  return readElement(thrift);
}

function* notesOf(bytes: Uint8Array, at: number): Generator<Note> {
  if (at === -1) return;
  const thrift = new Thrift(bytes, WHAT, at);
  const count = thrift.listSize();
  for (let i = 0; i < count; i++) {
    if (i === MAX_NOTES) throw new LimitExceeded(WHAT);
    yield readNote(thrift);
  }
}

function readNote(thrift: Thrift): Note {
  let key = '';
  let value: Uint8Array = new Uint8Array(0);
  thrift.struct((field) => {
    if (field === 1) key = Buffer.from(thrift.binary()).toString('utf8');
    else if (field === 2) value = thrift.binary();
  });
  return { key, value };
}

function* rowGroups(thrift: Thrift, columns: number): Generator<RowGroup> {
  for (let left = thrift.listSize(); left > 0; left--) {
    let rows = 0;
    const chunks: Chunk[] = [];
    thrift.struct((field) => {
      if (field === 1) readChunks(thrift, columns, chunks);
      else if (field === 3) rows = thrift.integer();
    });
    if (!(rows >= 0) || chunks.length !== columns) throw new CorruptInput(WHAT);
    yield { rows, chunks };
  }
}

function readChunks(thrift: Thrift, columns: number, chunks: Chunk[]): void {
  if (thrift.listSize() !== columns) throw new CorruptInput(WHAT);
  while (chunks.length < columns) chunks.push(readChunk(thrift));
}

function readChunk(thrift: Thrift): Chunk {
  let encrypted = false;
  let elsewhere = false;
  let chunkLocation: ChunkLocation = { type: -1, codec: -1, values: 0, start: 0, end: 0 };
  thrift.struct((field) => {
    if (field === 1) elsewhere = thrift.binary().length > 0;
    else if (field === 3) chunkLocation = readChunkLocation(thrift);
    else if (field === 8) encrypted = true;
  });
  return { encrypted, elsewhere, ...chunkLocation };
}

type ChunkLocation = Omit<Chunk, 'encrypted' | 'elsewhere'>;

function readChunkLocation(thrift: Thrift): ChunkLocation {
  const chunkLocation = { type: -1, codec: -1, values: 0 };
  let length = 0;
  let data = 0;
  let dictionary = 0;
  thrift.struct((field) => {
    if (field === 1) chunkLocation.type = thrift.integer();
    else if (field === 4) chunkLocation.codec = thrift.integer();
    else if (field === 5) chunkLocation.values = thrift.integer();
    else if (field === 7) length = thrift.integer();
    else if (field === 9) data = thrift.integer();
    else if (field === 11) dictionary = thrift.integer();
  });
  // Some writers use 0 for a missing dictionary, some omit its offset although there is one: then it is where the data begins.
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  return { ...chunkLocation, start, end: start + length };
}
