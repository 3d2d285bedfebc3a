import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import type { Key } from '../../base/key.ts';
import { keysOf, neverAborted } from '../source-test-helpers.ts';
import { createFsSource } from './fs-source.ts';
import { type IgnoreRules, MAX_RULE_BYTES, NO_RULES } from './ignore-rules.ts';
import { tempTree } from './temp-tree.ts';

/** A tree of all short names, three levels deep: files `…f`, and folders. */
const letters = ['a', 'b', 'ab', '.a', 'a b', '[a'];
const folders = letters.flatMap((x) => [x, ...letters.map((y) => `${x}/${y}`)]);
const files = ['', ...folders.map((folder) => `${folder}/`)].flatMap((prefix) => [
  `${prefix}f`,
  `${prefix}af`,
]);

/** What a walk excludes: the files that are ignored or in an ignored folder. */
function leftOut(ignoreFiles: Readonly<Record<string, string>>): string[] {
  const rulesOf = (folder: string): IgnoreRules | null => {
    const slash = folder.lastIndexOf('/');
    const outer = folder === '' ? NO_RULES : rulesOf(slash === -1 ? '' : folder.slice(0, slash));
    if (outer === null || (folder !== '' && outer.ignores(`${folder}/` as Key))) return null;
    const inner = folder === '' ? outer : outer.enter(`${folder}/` as Key);
    return inner.plus(ignoreFiles[folder] ?? '');
  };
  return files.filter((file) => {
    const slash = file.lastIndexOf('/');
    const rules = rulesOf(slash === -1 ? '' : file.slice(0, slash));
    return rules === null || rules.ignores(file as Key);
  });
}

const piece = fc.constantFrom(
  'a',
  'b',
  'f',
  '*',
  '?',
  '[ab]',
  '[!a]',
  '[a-c]',
  '.',
  '/',
  '/',
  '**',
  '\\',
  ' ',
  '[',
  ']',
  '!',
  '#',
);
/**
 * A known deviation: git compares the characters before the first wildcard separately and then drops them, so that `a**\/b` becomes
 * `**\/b` and matches `ab`. Its documentation says that `**` next to other characters is `*`, which is what we implement.
 */
const FORGOTTEN = /^[^*?[\\]*[^*?[\\/]\*\*/m;
const line = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .filter((text) => !FORGOTTEN.test(text));
const plain = fc.constantFrom(
  '*',
  '!*/',
  'a/',
  '/a',
  'a/**',
  '**/f',
  'a/**/f',
  '!f',
  '!a/f',
  '/*/b',
  '**/a/*',
  '**',
);
const lines = fc.array(fc.oneof(line, plain), { minLength: 1, maxLength: 4 }).map((all) => all.join('\n'));

describe('ignore rules', () => {
  it('match what git matches', () => {
    using tree = tempTree(Object.fromEntries(files.map((file) => [file, ''])));
    const git = (args: string[], input = '') => {
      const env = { ...process.env, HOME: tree.root, GIT_CONFIG_NOSYSTEM: '1' };
      try {
        return execFileSync('git', args, { cwd: tree.root, input, env, encoding: 'latin1', stdio: 'pipe' });
      } catch (error) {
        // Status 1: none of the paths is ignored.
        if ((error as { status?: number }).status !== 1) throw error;
        return '';
      }
    };
    git(['init', '-q']);
    const byGit = () =>
      git(['check-ignore', '--no-index', '--stdin', '-z'], files.map((file) => `${file}\0`).join(''))
        .split('\0')
        .filter((path) => path !== '');
    fc.assert(
      fc.property(lines, lines, (outer, inner) => {
        writeFileSync(tree.at('.gitignore'), outer);
        writeFileSync(tree.at('a/.gitignore'), inner);
        expect(leftOut({ '': outer, a: inner })).toEqual(byGit());
      }),
      {
        numRuns: 250,
        examples: [
          ['**\\/f\n**/a/*', 'a'],
          ['a/**\\/f', '!f'],
        ],
      },
    );
  }, 60_000);

  it('match what the package ignore matches', () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 5 }), (all) => {
        const reference = ignore({ ignorecase: false }).add(all);
        expect(leftOut({ '': all.join('\n') })).toEqual(files.filter((file) => reference.ignores(file)));
      }),
      { numRuns: 300 },
    );
  });

  it('terminate for any input', async () => {
    using tree = tempTree({ [`${'aa/'.repeat(60)}aa`]: '' });
    writeFileSync(tree.at('.seineignore'), `${'**/*a/'.repeat(10)}b`);
    expect(await keysOf(createFsSource(tree.root))).toHaveLength(2);
  }, 30_000);

  it('cost time proportional to their length for each name', () => {
    const hostile = `${'*a'.repeat(127)}b\n`;
    let rules = NO_RULES.plus(hostile.repeat(Math.floor(MAX_RULE_BYTES / hostile.length)))!;
    rules = rules.enter('x/' as Key);
    expect(rules.ignores(`x/${'a'.repeat(255)}` as Key)).toBe(false);
  }, 30_000);
});

describe('an ignore file', () => {
  it('with too many rules is an error, and everything next to it is listed', async () => {
    using tree = tempTree({ 'd/x': '', 'd/y': '' });
    writeFileSync(tree.at('d/.seineignore'), 'x\n'.repeat(MAX_RULE_BYTES));
    const items = [];
    for await (const batch of createFsSource(tree.root).list(
      { after: '' as Key, upTo: null },
      neverAborted(),
    ))
      items.push(...batch);
    expect(items).toEqual([
      { key: 'd/.seineignore', error: expect.objectContaining({ kind: 'limit' }) },
      expect.objectContaining({ key: 'd/x' }),
      expect.objectContaining({ key: 'd/y' }),
    ]);
  });

  it('is combined with those of the enclosing folders', () => {
    const half = 'x\n'.repeat(MAX_RULE_BYTES / 4 + 1);
    const outer = NO_RULES.plus(half)!;
    expect(outer.enter('a/' as Key).plus(half)).toBeNull();
  });

  it('is not opened if ignore files are disabled', async () => {
    using tree = tempTree({ 'd/x': '' });
    // A folder of that name makes every attempt to read it fail.
    mkdirSync(tree.at('d/.seineignore'));
    writeFileSync(tree.at('d/.seineignore/z'), '');
    writeFileSync(tree.at('.seineignore'), 'd\n');
    expect(await keysOf(createFsSource(tree.root, { ignoreFile: false }))).toEqual([
      '.seineignore',
      'd/.seineignore/z',
      'd/x',
    ]);
  });
});
