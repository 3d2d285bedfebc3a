/** A Parquet file of any length: some row groups are encoded, then their bytes are repeated. */
import { join } from 'node:path';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { Random } from '../../examples/generator/random.ts';
import { LargeFile } from './large-file.ts';
import { COLUMNS, rowOf } from './rows.ts';

const GROUP_ROWS = 50_000;
const DIFFERENT = 8;

interface Group {
  readonly bytes: Uint8Array;
  readonly about: RowGroup;
  /** Bytes of its values. */
  readonly text: number;
  /** Where it was written first. */
  readonly at: number;
}

export function writeLargeParquet(folder: string, bytes: number, seed: number): LargeFile {
  const file = new LargeFile(join(folder, 'export.parquet'));
  const out = new ByteWriter();
  const parquet = new ParquetWriter({ writer: out, schema: schema() });
  const random = new Random(seed, 'parquet');
  file.write(taken(out));
  const groups: Group[] = [];
  while (file.bytes < bytes) {
    const isNew = groups.length < DIFFERENT;
    const group = isNew ? writeGroup(parquet, out, random) : random.pick(groups);
    if (isNew) groups.push(group);
    else repeat(parquet, out, group);
    file.inside += group.text;
    file.write(group.bytes);
  }
  parquet.finish();
  file.write(taken(out));
  file.close();
  return file;
}

function schema(): SchemaElement[] {
  const texts = COLUMNS.map((name) => ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8' }) as const);
  return [
    { name: 'root', num_children: texts.length },
    ...texts.map((text) => ({ ...text, repetition_type: 'REQUIRED' }) as const),
  ];
}

function writeGroup(parquet: ParquetWriter, out: ByteWriter, random: Random): Group {
  const at = out.offset;
  const rows = Array.from({ length: GROUP_ROWS }, () => rowOf(random));
  parquet.write({
    columnData: COLUMNS.map((name, i) => ({ name, data: rows.map((row) => row[i]), offsetIndex: false })),
    rowGroupSize: GROUP_ROWS,
  });
  const text = rows.reduce((sum, row) => sum + row.join(' ').length + 1, 0);
  return { bytes: taken(out), about: parquet.row_groups.at(-1)!, text, at };
}

function repeat(parquet: ParquetWriter, out: ByteWriter, group: Group): void {
  parquet.row_groups.push(moved(group, out.offset - group.at));
  parquet.num_rows += group.about.num_rows;
  out.offset += group.bytes.length;
}

/** Takes the bytes so far; the writer continues with an empty buffer, only its offset includes them. */
function taken(out: ByteWriter): Uint8Array {
  const part = new Uint8Array(out.buffer, 0, out.index);
  out.buffer = new ArrayBuffer(1 << 16);
  out.view = new DataView(out.buffer);
  out.index = 0;
  return part;
}

function moved({ about }: Group, by: number): RowGroup {
  const columns = about.columns.map((chunk) => {
    const meta = chunk.meta_data!;
    const data_page_offset = meta.data_page_offset + BigInt(by);
    const dictionary = meta.dictionary_page_offset;
    return {
      ...chunk,
      file_offset: chunk.file_offset + BigInt(by),
      meta_data: {
        ...meta,
        data_page_offset,
        ...(dictionary === undefined ? {} : { dictionary_page_offset: dictionary + BigInt(by) }),
      },
    };
  });
  return { ...about, columns };
}
