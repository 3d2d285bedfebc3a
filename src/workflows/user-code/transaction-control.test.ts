import { describe, expect, it } from 'vitest';
import { controlsTransaction } from './transaction-control.ts';

describe('a statement that begins or ends a transaction', () => {
  it.each([
    'commit',
    ' BEGIN',
    'begin isolation level serializable',
    'rollback',
    'rollback and chain',
    'end',
    'abort',
    'start transaction',
    `prepare transaction 'a'`,
    'select 1; commit',
    ';;commit;',
    '-- first\ncommit',
    '/* a /* nested */ comment */ rollback work',
    'start /* a */ transaction',
    `select 'it''s'; rollback`,
    `select E'\\'; '; rollback`,
    `select E'a''\\'; '; rollback`,
    `select E'a\\\n\\'; '; rollback`,
    'select $$ a $$; rollback',
    'select $tag$ $$ $tag$; rollback',
    'select "a;""b"; end',
    `select '--'; commit`,
  ])('is found: %s', (sql) => {
    expect(controlsTransaction(sql)).toBe(true);
  });

  it.each([
    'select 1',
    'savepoint a; rollback to a; release a',
    'rollback to savepoint a',
    'rollback work to a',
    `insert into note values ('; commit')`,
    `select E'\\'; commit; '`,
    'select ";commit"',
    'select 1 -- ; commit',
    'select 1 /* ; commit; */',
    'do $$ begin perform 1; end $$',
    'do $body$ begin perform $$a$$; end $body$',
    'create function f() returns int begin atomic select 1; select 2; end',
    'prepare transactions as select 1',
    'prepare p as select $1::int; execute p(1)',
    'commits',
    '',
  ])('is not: %s', (sql) => {
    expect(controlsTransaction(sql)).toBe(false);
  });

  it.each([`'`, `E'`, '"', '$$', '--', '/*'])('is found behind millions of characters after %s', (open) => {
    const end = open === '--' ? '\n' : open === '/*' ? '*/' : open.replace('E', '');
    const sql = `select ${open}${'x; '.repeat(4_000_000)}${end}`;
    expect(controlsTransaction(sql)).toBe(false);
    expect(controlsTransaction(`${sql}; commit`)).toBe(true);
  });
});
