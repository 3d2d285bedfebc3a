import { describe, expect, it } from 'vitest';
import { problemMessages } from '../config.fixture.ts';
import { variableReference } from '../values/interpolate.ts';
import { parseYaml } from './yaml-tree.ts';

describe('a position', () => {
  it('is that of the value and that of the key, counted from 1', () => {
    const at = (line: number, column: number) => ({ line, column });
    expect(parseYaml('# first\na:\n  b: [x, 2]\n').tree).toEqual({
      kind: 'map',
      at: at(2, 1),
      entries: [
        {
          key: 'a',
          keyAt: at(2, 1),
          value: {
            kind: 'map',
            at: at(3, 3),
            entries: [
              {
                key: 'b',
                keyAt: at(3, 3),
                value: {
                  kind: 'list',
                  at: at(3, 6),
                  items: [
                    { kind: 'scalar', at: at(3, 7), value: 'x' },
                    { kind: 'scalar', at: at(3, 10), value: 2 },
                  ],
                },
              },
            ],
          },
        },
      ],
    });
  });

  it.each([
    ['with a byte order mark', '\uFEFFa: 1\nb: 2\n'],
    ['with Windows line breaks', 'a: 1\r\nb: 2\r\n'],
  ])('is right in a file %s', (_, text) => {
    const { tree } = parseYaml(text);
    expect(tree?.kind === 'map' && tree.entries.map(({ keyAt }) => [keyAt.line, keyAt.column])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('of the value of an alias is that of the alias', () => {
    const { tree } = parseYaml('a: &x 5\nb: *x\n');
    expect(tree?.kind === 'map' && tree.entries[1]!.value).toEqual({
      kind: 'scalar',
      at: { line: 2, column: 4 },
      value: 5,
    });
  });
});

describe('an empty file', () => {
  it.each(['', '\n', '# only\n# comments\n', '---\n', 'null\n'])('%j is no problem', (text) => {
    const { tree, problems } = parseYaml(text);
    expect(problems).toEqual([]);
    expect(tree === null || (tree.kind === 'scalar' && tree.value === null)).toBe(true);
  });
});

describe('what is not YAML', () => {
  it.each([
    ['a: 1\na: 2\n', '2:1 duplicate key'],
    ['a: 1\n---\nb: 2\n', '2:1 a second document starts'],
    ['\ta: 1\n', '1:1 a tab used for indentation'],
    ['a: [1, 2\nb: 3\n', '2:1 wrong indentation, or an unclosed bracket'],
    ['a: b: c\n', '1:4 a second key: starts within a value'],
    ['a: @b\n', '1:4 a value starts with a character reserved by YAML'],
    [`a: { b: ${variableReference('C')} }\n`, '1:10 a variable within { } or [ ]'],
    ['a: !secret b\n', '1:4 an unknown ! tag'],
    ['a: *none\n', '1:4 no anchor &none before this alias'],
    ['? [a]\n: b\n', '1:3 a key must be a plain word'],
  ])('%j is reported with its position', (text, problem) => {
    expect(problemMessages(parseYaml(text))).toEqual([problem]);
  });

  it('is reported line by line, in order', () => {
    expect(problemMessages(parseYaml('a: 1\na: 2\nb: "\\q"\nc: @x\n'))).toEqual([
      '2:1 duplicate key',
      '3:5 an unknown escape in double quotes',
      '4:4 a value starts with a character reserved by YAML',
    ]);
  });

  it('is never quoted: it may be a secret', () => {
    for (const text of ['- hush\nhush: hush', 'a: "hush', 'hush\n hush: hush: hush', '!hush a', '%hush\n']) {
      expect(JSON.stringify(parseYaml(text).problems)).not.toContain('hush');
    }
  });

  it('stops at a file that expands without end', () => {
    const bomb = ['a0: &a0 [x, x]'];
    for (let n = 1; n < 18; n++) bomb.push(`a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`);
    expect(problemMessages(parseYaml(bomb.join('\n')))[0]).toMatch(
      /the file is too large or too deeply nested$/,
    );
    expect(problemMessages(parseYaml('a: &a [*a]'))[0]).toMatch(
      /the file is too large or too deeply nested$/,
    );
  });
});
