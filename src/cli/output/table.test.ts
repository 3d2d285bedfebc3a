import { expect, it } from 'vitest';
import { table } from './table.ts';
import { PLAIN_STYLE, paint } from './terminal-style.ts';

it('a table keeps its lines and columns whatever its cells hold', () => {
  const hostile = 'name\nforged line\x1b[2J\x9b1A\u202e';
  const red = paint({ ...PLAIN_STYLE, color: true }, 'red', 'HIGH');
  const text = table(
    ['left', 'right'],
    [
      [hostile, '1'],
      [red, '22'],
    ],
  );
  expect(text.split('\n')).toHaveLength(3);
  expect(text.replaceAll(red, '')).toMatch(/^[ -~\n]*$/);
  expect(text).toContain(red);
});

it('a table may have more rows than a call may have arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [String(i)]);
  expect(table(['right'], rows).split('\n')).toHaveLength(300_001);
});
