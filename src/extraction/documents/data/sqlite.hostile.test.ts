import { describe, expect, it } from 'vitest';
import { collect, mutated } from './data.fixture.ts';
import { sqliteFile } from './sqlite/sqlite.fixture.ts';
import { readSqlite } from './sqlite.ts';

const PAGE = 512;
const bytes = sqliteFile((database) => {
  database.exec(`
    PRAGMA page_size = ${PAGE};
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, more BLOB);
    CREATE TABLE w (k TEXT PRIMARY KEY, v INT) WITHOUT ROWID;
    CREATE TABLE fine (a);
    INSERT INTO fine VALUES ('still here');
  `);
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
  const keyed = database.prepare('INSERT INTO w VALUES (?, ?)');
  for (let i = 0; i < 30; i++) {
    insert.run(i, `name ${i} `.repeat(1 + (i % 4) * 40), 'x');
    keyed.run(`key ${i}`.repeat(3), i);
  }
});

/** With some bytes of its pages, counted from 1, replaced. */
function changed(...changes: readonly [page: number, at: number, ...bytes: number[]][]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [page, at, ...values] of changes) copy.set(values, (page - 1) * PAGE + at);
  return copy;
}

async function errorOf(file: Uint8Array, limits: object = {}): Promise<string | null> {
  return (await collect(readSqlite, file, limits)).error;
}

/** The root pages of t, w and fine: SQLite allocates them in order. */
const [T, W, FINE] = [2, 3, 4];

describe('damaged SQLite', () => {
  it('is whole before it is damaged', async () => {
    const { texts, error } = await collect(readSqlite, bytes);
    expect(error).toBeNull();
    expect(texts.map(({ location }) => location)).toEqual(['table t', 'table w', 'table fine']);
    // Both trees have branches, so that what is done to them below means something.
    expect(bytes[(T! - 1) * PAGE]).toBe(5);
    expect(bytes[(W! - 1) * PAGE]).toBe(2);
  });

  it('truncated anywhere, it is reported', async () => {
    for (let end = 0; end < bytes.length; end += end < 2 * PAGE ? 1 : 61)
      expect(await errorOf(bytes.subarray(0, end))).toMatch(
        /corrupt: (truncated SQLite database|SQLite header)/,
      );
  });

  it.each<[string, Buffer, string]>([
    ['a branch that leads to itself', changed([T!, 8, 0, 0, 0, T!]), 'corrupt: SQLite page loop'],
    ['a branch that leads to another table', changed([T!, 8, 0, 0, 0, FINE!]), 'corrupt: SQLite page loop'],
    ['a branch that leads to the first page', changed([T!, 8, 0, 0, 0, 1]), 'corrupt: SQLite page loop'],
    ['a branch that leads nowhere', changed([T!, 8, 0, 0, 0, 0]), 'corrupt: SQLite page'],
    [
      'a branch that leads behind the end',
      changed([T!, 8, 127, 0, 0, 0]),
      'corrupt: truncated SQLite database',
    ],
    ['a page of no known kind', changed([T!, 0, 99]), 'corrupt: SQLite page'],
    ['more cells than fit', changed([T!, 3, 255, 255]), 'corrupt: SQLite page'],
    ['a cell in the head of its page', changed([T!, 12, 0, 2]), 'corrupt: SQLite page'],
    ['a cell behind the end of its page', changed([T!, 12, 255, 255]), 'corrupt: SQLite page'],
  ])('%s is reported, and the other tables are read', async (_, file, what) => {
    const { texts, error } = await collect(readSqlite, file);
    expect(error).toBe(what);
    expect(texts.some(({ text }) => text.includes('still here')) || what.endsWith('loop')).toBe(true);
  });

  it('a table that claims the pages of another one is reported, and nothing is read twice', async () => {
    // The last one in the table of tables is `fine`; its root is the only byte 4 before its statement.
    const at = bytes.subarray(0, PAGE).indexOf(Buffer.from([FINE!, ...Buffer.from('CREATE TABLE fine')]));
    expect(at).toBeGreaterThan(0);
    const { texts, error } = await collect(readSqlite, changed([1, at, T!]));
    expect(error).toBe('corrupt: SQLite page loop');
    expect(texts.map(({ location }) => location)).toEqual(['table t', 'table w']);
  });

  it('a statement that is not understood leaves columns without their names', async () => {
    const at = bytes.indexOf('CREATE TABLE fine (a)');
    const copy = Buffer.from(bytes);
    copy.write('CREATE NOTHING  ,,,,,', at);
    const { texts } = await collect(readSqlite, copy);
    expect(texts.at(-1)).toMatchObject({ location: 'table fine', columns: ['c1'], text: 'still here\n' });
  });

  it('a row that is longer than what follows keeps what is there', async () => {
    const page = Buffer.from(bytes.subarray((FINE! - 1) * PAGE, FINE! * PAGE));
    const cell = page.readUInt16BE(8);
    // Its text claims to be longer than the row; then its row claims to be longer than the page.
    expect(await errorOf(changed([FINE!, cell + 3, 0x7f]))).toBe('corrupt: SQLite record');
    expect(await errorOf(changed([FINE!, cell + 2, 0x7f]))).toBe('corrupt: SQLite record');
    expect(await errorOf(changed([FINE!, cell, 0x7f]))).toMatch(/^corrupt: SQLite (page|record)$/);
    expect(await errorOf(changed([FINE!, cell, 255, 255, 255, 255, 255, 255, 255, 255, 255]))).toMatch(
      /^corrupt: SQLite/,
    );
  });

  it("overlapping cells don't yield endless rows", async () => {
    const page = Buffer.from(bytes.subarray((FINE! - 1) * PAGE, FINE! * PAGE));
    const cell = page.readUInt16BE(8);
    const many = 200;
    const pointers = Array.from({ length: many }, () => [cell >> 8, cell & 255]).flat();
    const { texts, error } = await collect(readSqlite, changed([FINE!, 3, 0, many], [FINE!, 8, ...pointers]));
    expect(error).toBe('corrupt: SQLite page');
    expect(texts.at(-1)!.text.length).toBeLessThan(2 * PAGE);
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'corrupt: SQLite header'],
    ['another file', Buffer.alloc(4096, 'x'), 'corrupt: SQLite header'],
    ['pages of an odd size', changed([1, 16, 2, 1]), 'corrupt: SQLite header'],
    ['pages that are all reserved', changed([1, 20, 255]), 'corrupt: SQLite header'],
  ])('%s is reported', async (_, file, what) => {
    expect(await collect(readSqlite, file)).toMatchObject({ texts: [], error: what });
  });

  it('with bytes changed anywhere, it yields bounded text or an error', async () => {
    for (let seed = 0; seed < 4000; seed++) {
      const { texts } = await collect(readSqlite, mutated(bytes, seed));
      expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(10 * bytes.length);
    }
  });

  it('limits hold', async () => {
    const { texts, error } = await collect(readSqlite, bytes, { cells: 50 });
    expect(error).toBe('limit: cells');
    expect(texts[0]?.text).toContain('name 1');
  });
});
