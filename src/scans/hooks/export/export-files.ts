import { createHash } from 'node:crypto';
import type { ObjectWriter } from '../../../sources/writer/writer.ts';
import type { ExportFormat } from '../hook.ts';
import { jsonlFile, jsonlGzipFile } from './jsonl-file.ts';
import { parquetFile } from './parquet-file.ts';
import type { Row, Table } from './table.ts';

/** A file of an export, as listed in the manifest. */
export interface FileEntry {
  readonly name: string;
  readonly table: Table['name'];
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ExportFileOptions {
  readonly writer: ObjectWriter;
  readonly folder: string;
  readonly format: ExportFormat;
  /** Maximum number of rows in one file. */
  readonly partRows: number;
  readonly signal: AbortSignal;
}

/** Writes the rows as `NAME-00000.EXT`, `NAME-00001.EXT` …; without rows there is one empty file. */
export async function writeExportFiles(
  table: Table,
  rows: AsyncIterator<Row>,
  options: ExportFileOptions,
): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let next = await rows.next();
  do {
    const name = `${table.name}-${String(files.length).padStart(5, '0')}.${options.format}`;
    const file = new FileRows(rows, next, options.partRows);
    const { bytes, sha256 } = await writeFile(table, name, file, options);
    next = file.next;
    files.push({ name, table: table.name, rows: file.rows, bytes, sha256 });
  } while (!next.done);
  return files;
}

/** The rows of one file; stores the first row of the next. */
class FileRows implements AsyncIterable<Row> {
  readonly #rows: AsyncIterator<Row>;
  readonly #max: number;
  next: IteratorResult<Row>;
  rows = 0;

  constructor(rows: AsyncIterator<Row>, first: IteratorResult<Row>, max: number) {
    this.#rows = rows;
    this.#max = max;
    this.next = first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    while (!this.next.done && this.rows < this.#max) {
      const row = this.next.value;
      this.rows++;
      this.next = await this.#rows.next();
      yield row;
    }
  }
}

async function writeFile(
  table: Table,
  name: string,
  rows: AsyncIterable<Row>,
  { writer, folder, format, signal }: ExportFileOptions,
): Promise<{ bytes: number; sha256: string }> {
  const digest = createHash('sha256');
  let bytes = 0;
  const content = (async function* () {
    for await (const chunk of encode(rows, table, format)) {
      digest.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  })();
  await writer.put(`${folder}/${name}`, content, signal);
  return { bytes, sha256: digest.digest('hex') };
}

function encode(rows: AsyncIterable<Row>, table: Table, format: ExportFormat): AsyncIterable<Uint8Array> {
  if (format === 'parquet') return parquetFile(rows, table);
  return format === 'jsonl' ? jsonlFile(rows) : jsonlGzipFile(rows);
}
