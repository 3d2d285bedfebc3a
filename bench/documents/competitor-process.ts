/**
 * `node competitor-process.ts WAY FOLDER`: all files of the folder with another library, one after another. As with ours, the first
 * file is read once more before the clock starts, so that everything is loaded and compiled.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { importCompetitor } from '../competitors.ts';

/** Returns the number of bytes of text; null where they are not counted. */
type Read = (path: string) => Promise<number | null>;

const WAYS = {
  'duckdb-lengths': byDuckdbLengths,
  'duckdb-text': byDuckdbText,
  officeparser: byOfficeparser,
  'node-sqlite': async (): Promise<Read> => readSqlite,
} as const satisfies Record<string, () => Promise<Read>>;

export type Way = keyof typeof WAYS;

interface Duckdb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckdbConnection> }> };
}

interface DuckdbConnection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
}

interface Officeparser {
  parseOffice(path: string): Promise<{ to(format: 'text', options: object): Promise<{ value: string }> }>;
}

if (import.meta.main) await readAll(process.argv[2] as Way, process.argv[3]!);

async function readAll(way: Way, folder: string): Promise<void> {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const read = await WAYS[way]();
  await read(paths[0]!);
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  let textBytes: number | null = 0;
  for (const path of paths) {
    const bytes = await read(path);
    textBytes = bytes === null || textBytes === null ? null : textBytes + bytes;
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  process.stdout.write(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, textBytes }));
  process.exit();
}

async function byDuckdbLengths(): Promise<Read> {
  const duckdb = await connectDuckdb();
  return async (path) => {
    const columns = (await duckdb.runAndReadAll(`describe from '${path}'`)).getRows();
    const texts = columns.filter(([, type]) => type === 'VARCHAR').map(([name]) => `sum(strlen("${name}"))`);
    const [sums] = (await duckdb.runAndReadAll(`select ${texts.join(', ')} from '${path}'`)).getRows();
    return (sums ?? []).reduce<number>((all, sum) => all + Number(sum), 0);
  };
}

async function byDuckdbText(): Promise<Read> {
  const duckdb = await connectDuckdb();
  return async (path) => {
    await duckdb.runAndReadAll(
      `copy (from '${path}') to '/dev/null' (format csv, delimiter '\t', header false, use_tmp_file false)`,
    );
    return null;
  };
}

async function connectDuckdb(): Promise<DuckdbConnection> {
  const duckdb = importCompetitor<Duckdb>('documents', '@duckdb/node-api')!;
  return (await duckdb.DuckDBInstance.create(':memory:')).connect();
}

async function byOfficeparser(): Promise<Read> {
  const { parseOffice } = importCompetitor<Officeparser>('documents', 'officeparser')!;
  const flat = { includeImages: false, textConfig: { preserveLayout: false, renderNotes: false } };
  return async (path) => {
    const document = await parseOffice(path);
    return Buffer.byteLength((await document.to('text', flat)).value);
  };
}

async function readSqlite(path: string): Promise<number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  let textBytes = 0;
  for (const { name } of tables) {
    const all = database.prepare(`select * from "${name}"`);
    all.setReturnArrays(true);
    // Numbers are counted as they would be written.
    for (const row of all.iterate() as Iterable<unknown>)
      for (const value of row as unknown[]) textBytes += `${value}`.length;
  }
  database.close();
  return textBytes;
}
