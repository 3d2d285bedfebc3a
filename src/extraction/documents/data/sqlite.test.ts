import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellText } from '../../grid.ts';
import { collect, inMemory } from './data.fixture.ts';
import { PageStore } from './sqlite/page-store.ts';
import { sqliteFile } from './sqlite/sqlite.fixture.ts';
import { readSqlite } from './sqlite.ts';

describe('SQLite', () => {
  it('every table is a text with its columns; views, indexes and virtual tables have none', async () => {
    const bytes = sqliteFile((database) => {
      database.exec(`
        CREATE TABLE customers (id INTEGER PRIMARY KEY, mail TEXT, phone INT, balance REAL, photo BLOB);
        CREATE TABLE empty (a);
        CREATE INDEX by_mail ON customers (mail);
        CREATE VIEW mails AS SELECT mail FROM customers;
        CREATE TABLE notes (note);
        INSERT INTO customers VALUES (7, 'ada@example.com', 5551234567, 1.5, x'00ff'), (9, NULL, -1, 3, 'text');
        INSERT INTO notes VALUES ('a' || char(9) || 'b' || char(10) || '"c"'), ('"d"'), (CAST('é' AS BLOB));
      `);
    });
    expect(await collect(readSqlite, bytes)).toMatchObject({
      error: null,
      texts: [
        {
          location: 'table customers',
          columns: ['id', 'mail', 'phone', 'balance', 'photo'],
          firstRow: 1,
          text: '7\tada@example.com\t5551234567\n9\t\t-1\t3\ttext\n',
        },
        { location: 'table notes', columns: ['note'], text: `a b "c"\n'd"\né\n` },
      ],
    });
  });

  it('WITHOUT ROWID tables have their key first', async () => {
    const bytes = sqliteFile((database) => {
      database.exec('CREATE TABLE t (v TEXT, k TEXT, n INT, PRIMARY KEY (K DESC, n)) WITHOUT ROWID');
      const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
      for (let i = 0; i < 1000; i++) insert.run(`v${i}`, `key ${i} ${'x'.repeat(i)}`, i);
    });
    const { texts, error } = await collect(readSqlite, bytes);
    expect(error).toBeNull();
    expect(texts[0]?.columns).toEqual(['k', 'n', 'v']);
    const rows = texts[0]!.text.split('\n').slice(0, -1);
    const expected = Array.from({ length: 1000 }, (_, i) =>
      [`key ${i} ${'x'.repeat(i)}`, i, `v${i}`].join('\t'),
    );
    expect(rows.sort()).toEqual(expected.sort());
  });

  it('virtual generated columns are not stored, unlike stored ones', async () => {
    const bytes = sqliteFile((database) => {
      database.exec(`
        CREATE TABLE t (a TEXT, up TEXT GENERATED ALWAYS AS (upper(a)) VIRTUAL, low TEXT AS (lower(a)) STORED, z TEXT);
        INSERT INTO t (a, z) VALUES ('Ada', 'end');
      `);
    });
    const { texts } = await collect(readSqlite, bytes);
    expect(texts[0]).toMatchObject({ columns: ['a', 'low', 'z'], text: 'Ada\tada\tend\n' });
  });

  it('rows have the defaults of columns that were added after them', async () => {
    const bytes = sqliteFile((database) => {
      database.exec(`
        CREATE TABLE t (a);
        INSERT INTO t VALUES ('old'), (printf('%.*c', 2000000, 'l'));
        ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'x';
        INSERT INTO t VALUES ('new', 'y');
        ALTER TABLE t ADD COLUMN c;
        ALTER TABLE t ADD COLUMN d INT DEFAULT -5 NOT NULL;
        INSERT INTO t VALUES ('last', NULL, 'z', 6);
        CREATE TABLE k (v TEXT, key TEXT PRIMARY KEY) WITHOUT ROWID;
        INSERT INTO k VALUES ('1', 'one');
        ALTER TABLE k ADD COLUMN w DEFAULT ('said');
      `);
    });
    const { texts, error } = await collect(readSqlite, bytes);
    expect(error).toBeNull();
    const long = 'l'.repeat(2_000_000);
    expect(texts[0]).toMatchObject({
      columns: ['a', 'b', 'c', 'd'],
      text: `old\tx\t\t-5\n${long}\tx\t\t-5\nnew\ty\t\t-5\nlast\t\tz\t6\n`,
    });
    expect(texts[1]).toMatchObject({ columns: ['key', 'v', 'w'], text: 'one\t1\tsaid\n' });
  });

  it('a long default of many short rows is stopped as a bomb', async () => {
    const bytes = sqliteFile((database) => {
      database.exec(`
        CREATE TABLE t (a);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i FROM n;
        ALTER TABLE t ADD COLUMN b TEXT DEFAULT '${'x'.repeat(50_000)}';
      `);
    });
    const seen = await collect(readSqlite, bytes, { ratio: 10, ratioFloor: 1_000_000 });
    expect(seen.error).toBe('limit: compression ratio');
  });

  it('the hidden tables of a full text search are read like others', async () => {
    const bytes = sqliteFile((database) => {
      database.exec(
        `CREATE VIRTUAL TABLE search USING fts5(body); INSERT INTO search VALUES ('ada@example.com')`,
      );
    });
    const { texts, error } = await collect(readSqlite, bytes);
    expect(error).toBeNull();
    expect(texts.find(({ location }) => location === 'table search_content')?.text).toContain(
      'ada@example.com',
    );
  });

  it.each(['UTF-8', 'UTF-16le', 'UTF-16be'])('texts in %s, short, long and very long', async (encoding) => {
    const values = ['ž😀', 'é'.repeat(5000), `${'ab'.repeat(40_000)}😀`, 'long ž😀 '.repeat(200_000)];
    const bytes = sqliteFile((database) => {
      database.exec(`PRAGMA encoding = '${encoding}'; CREATE TABLE t (a, b)`);
      for (const value of values) database.prepare('INSERT INTO t VALUES (?, 1)').run(value);
    });
    const { texts, error, longest } = await collect(readSqlite, bytes);
    expect(error).toBeNull();
    expect(texts[0]?.text === values.map((value) => `${value}\t1\n`).join('')).toBe(true);
    expect(longest).toBeLessThan(100_000);
  });

  it('very long bytes are read if they begin like text', async () => {
    const bytes = sqliteFile((database) => {
      database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)');
      const insert = database.prepare('INSERT INTO t (a, b) VALUES (?, ?)');
      insert.run(Buffer.from('ž'.repeat(1e6)), 'x');
      insert.run(Buffer.alloc(2e6), 'y');
    });
    const { texts } = await collect(readSqlite, bytes);
    expect(texts[0]?.text).toBe(`1\t${'ž'.repeat(1e6)}\tx\n2\t\ty\n`);
  });

  it.each([512, 1024, 4096, 65536])('pages of %i bytes, and trees of several levels', async (pageSize) => {
    const bytes = sqliteFile((database) => {
      database.exec(`PRAGMA page_size = ${pageSize}; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); BEGIN`);
      const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
      for (let i = 0; i < 20_000; i++) insert.run(i * 3, `value ${i}${'x'.repeat(i % 50)}`);
      database.exec('COMMIT');
    });
    const { texts, error } = await collect(readSqlite, bytes);
    expect(error).toBeNull();
    const expected = Array.from({ length: 20_000 }, (_, i) => `${i * 3}\tvalue ${i}${'x'.repeat(i % 50)}\n`);
    expect(texts[0]?.text === expected.join('')).toBe(true);
  });

  it('values of all types are restored', async () => {
    const value = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.integer().map(BigInt),
      fc.string(),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 50 }), async (rows) => {
        const bytes = sqliteFile((database) => {
          database.exec('CREATE TABLE t (a, b, c)');
          for (const [a, b] of rows) database.prepare(`INSERT INTO t VALUES (?, ?, 'end')`).run(a, b);
        });
        const { texts } = await collect(readSqlite, bytes);
        const cell = (one: bigint | string | null) => (one === null ? '' : cellText(String(one)));
        expect(texts[0]?.text).toBe(rows.map(([a, b]) => `${cell(a)}\t${cell(b)}\tend\n`).join(''));
      }),
      { numRuns: 40 },
    );
  });
});

describe('the pages of a database', () => {
  const bytes = Buffer.alloc(3_000_000 - (3_000_000 % 4096));
  for (let page = 0; page * 4096 < bytes.length; page++)
    bytes.fill(page % 251, page * 4096, (page + 1) * 4096);

  it('are read in any order, each once', async () => {
    const count = bytes.length / 4096;
    const order = Array.from({ length: count }, (_, i) => 1 + ((i * 7919) % count));
    const pages = new PageStore(inMemory(bytes), 4096, 0);
    for (const number of order) expect((await pages.visit(number))[9]).toBe((number - 1) % 251);
    await expect(pages.visit(5)).rejects.toThrow('corrupt: SQLite page loop');
    await expect(pages.visit(0)).rejects.toThrow('corrupt: SQLite page');
    await expect(pages.visit(count + 1)).rejects.toThrow('corrupt: truncated SQLite database');
  });

  it('are read many at a time when read forward, even with gaps', async () => {
    for (const step of [1, 3]) {
      let questions = 0;
      const read = async (from: number, to: number) => {
        questions++;
        return bytes.subarray(from, to);
      };
      const pages = new PageStore({ size: bytes.length, read }, 4096, 0);
      for (let number = 1; number * 4096 <= bytes.length; number += step) await pages.visit(number);
      expect(questions).toBeLessThan(8);
    }
  });
});
