import { describe, expect, it } from 'vitest';
import { redactLiterals } from './stall.ts';

describe('a statement of another program', () => {
  it.each([
    [`insert into patient values ('O''Brien', 42, 1.5e3)`, 'insert into patient values (?, ?, ?)'],
    [`update t1 set a$1 = $1 where id = 7`, 'update t1 set a$1 = $1 where id = ?'],
    [`select $body$ any 'thing' $body$, 1`, 'select ?, ?'],
    [`select E'it\\'s', 'cut off in the mid`, 'select ?, ?'],
    ['select\n\u001b[HJ  1', 'select [HJ ?'],
  ])('is shown without its values: %s', (query, shown) => {
    expect(redactLiterals(query)).toBe(shown);
  });

  it('is shortened', () => {
    expect(redactLiterals(`select ${'a, '.repeat(200)}`)).toHaveLength(163);
  });
});
