import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableColumns } from './table-columns.ts';

describe('columns of CREATE TABLE', () => {
  it.each<[string, string[], number]>([
    ['CREATE TABLE t(a,b)', ['a', 'b'], -1],
    ['create table if not exists main.t (id integer primary key, b)', ['id', 'b'], 0],
    ['CREATE TABLE t (b, id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL)', ['b', 'id'], 1],
    ['CREATE TABLE t (id INTEGER, b, PRIMARY KEY (ID))', ['id', 'b'], 0],
    ['CREATE TABLE t (id INT PRIMARY KEY, b)', ['id', 'b'], -1],
    ['CREATE TABLE t (id INTEGER PRIMARY KEY DESC, b)', ['id', 'b'], -1],
    ['CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b))', ['a', 'b'], -1],
    [
      `CREATE TABLE "a(b" ("full name" TEXT, [e,mail] TEXT, \`x)\` INT, 'y' INT)`,
      ['full name', 'e,mail', 'x)', 'y'],
      -1,
    ],
    [`CREATE TABLE t ("a ""b""" TEXT, c TEXT DEFAULT 'x, "y" (z')`, ['a "b"', 'c'], -1],
    ['CREATE TABLE t (a DECIMAL(10, 2) CHECK (a IN (1, 2)), b DEFAULT (max(1, 2)))', ['a', 'b'], -1],
    ['CREATE TABLE t (a, -- one, two\n b /* , c */, d)', ['a', 'b', 'd'], -1],
    [
      'CREATE TABLE t (a, b, UNIQUE (a, b), CHECK (a > 1), FOREIGN KEY (a) REFERENCES u (b), CONSTRAINT c PRIMARY KEY (a))',
      ['a', 'b'],
      -1,
    ],
    ['CREATE TABLE t ("primary" TEXT, "check" INT)', ['primary', 'check'], -1],
    ['CREATE TABLE t (a, v AS (a + 1), s GENERATED ALWAYS AS (a) STORED)', ['a', 's'], -1],
    ['CREATE TABLE t (größe INT, 名前 TEXT, a$b)', ['größe', '名前', 'a$b'], -1],
  ])('%s', (sql, names, rowidAt) => {
    expect(tableColumns(sql, false)).toMatchObject({ names, rowidAt });
  });

  it.each<[string, string[]]>([
    [`a, b DEFAULT 'x, (y', c TEXT NOT NULL DEFAULT "it''s", d`, ['', 'x, (y', "it''s"]],
    [
      `a DEFAULT 5, b INT DEFAULT -7 NOT NULL, c DEFAULT (+8), d DEFAULT ('z') CHECK (d > '')`,
      ['5', '-7', '8', 'z'],
    ],
    ['a DEFAULT TRUE, b DEFAULT false', ['1', '0']],
    [`a REFERENCES u ON DELETE SET DEFAULT DEFAULT 'x', b REFERENCES u ON UPDATE SET DEFAULT`, ['x']],
    [`a DEFAULT 1.5, b DEFAULT NULL, c DEFAULT CURRENT_TIME, d DEFAULT (1e3), e DEFAULT, "default" 'x'`, []],
    [`a, v TEXT AS (a) DEFAULT 'v', s AS (a) STORED, z DEFAULT 'z'`, ['', '', 'z']],
  ])('%s have these defaults', (columns, defaults) => {
    expect(tableColumns(`CREATE TABLE t (${columns})`, false)?.defaults).toEqual(defaults);
  });

  it('defaults of WITHOUT ROWID tables follow the key', () => {
    const sql = `CREATE TABLE t (v, k TEXT PRIMARY KEY, w DEFAULT 'x') WITHOUT ROWID`;
    expect(tableColumns(sql, true)?.defaults).toEqual(['', '', 'x']);
  });

  it('the key comes first in WITHOUT ROWID tables', () => {
    const sql = 'CREATE TABLE t (v, a TEXT, b TEXT, PRIMARY KEY (b COLLATE NOCASE, A, b)) WITHOUT ROWID';
    expect(tableColumns(sql, true)?.names).toEqual(['b', 'a', 'v']);
    expect(tableColumns('CREATE TABLE t (v, k TEXT PRIMARY KEY) WITHOUT ROWID', true)?.names).toEqual([
      'k',
      'v',
    ]);
  });

  it.each(['', 'CREATE TABLE t', 'CREATE TABLE t ()', 'x'.repeat(2e6)])(
    'what is no statement has none',
    (sql) => {
      expect(tableColumns(sql, false)).toBeNull();
    },
  );

  it('any text is read to its end', () => {
    const parts = fc.constantFrom(
      '(',
      ')',
      ',',
      '"',
      "'",
      '[',
      ']',
      '`',
      '--',
      '/*',
      '*/',
      ' ',
      'a',
      'PRIMARY',
      'KEY',
      'AS',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(parts), (some) => {
        tableColumns(`CREATE TABLE t (${some.join('')}`, some.length % 2 === 0);
      }),
    );
    const many = `CREATE TABLE t (${Array.from({ length: 100_000 }, (_, i) => `a${i}`).join()}, PRIMARY KEY (a1))`;
    expect(tableColumns(many, true)?.names.slice(0, 3)).toEqual(['a1', 'a0', 'a2']);
  });
});
