import { execFileSync } from 'node:child_process';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import { createFsSource, type FsOptions } from './fs-source.ts';
import { NO_RULES } from './ignore-rules.ts';
import { tempTree } from './temp-tree.ts';

async function listed(files: readonly string[], options: FsOptions): Promise<string[]> {
  using tree = tempTree(Object.fromEntries(files.map((name) => [name, 'x'])));
  const keys = await keysOf(createFsSource(tree.root, options));
  return keys.map((key) => Buffer.from(key, 'latin1').toString());
}

const files = ['.env', 'a.csv', 'a.log', 'docs/b.csv', 'docs/deep/c.log', 'docs/é.csv', 'logs/x', 'x/docs/d'];

describe('include and exclude', () => {
  it.each<[string, FsOptions, string[]]>([
    ['a name matches at any depth', { include: ['*.csv'] }, ['a.csv', 'docs/b.csv', 'docs/é.csv']],
    ['a path matches from the root', { include: ['docs/*.csv'] }, ['docs/b.csv', 'docs/é.csv']],
    ['a slash in front ties a name to the root', { include: ['/docs'] }, files.slice(3, 6)],
    ['a folder stands for all in it', { include: ['docs'] }, [...files.slice(3, 6), 'x/docs/d']],
    ['a slash at the end means folders only', { include: ['a.log/', 'logs/'] }, ['logs/x']],
    ['a question mark is one character', { include: ['?.csv'] }, ['a.csv', 'docs/b.csv', 'docs/é.csv']],
    ['a name that is not ASCII matches itself', { include: ['docs/é.csv'] }, ['docs/é.csv']],
    ['names that begin with a dot are names', { include: ['*'] }, files],
    ['an excluded folder is left out with all in it', { exclude: ['docs', 'logs/**'] }, files.slice(0, 3)],
    ['exclude wins over include', { include: ['*.csv'], exclude: ['docs/b*'] }, ['a.csv', 'docs/é.csv']],
    ['alternatives', { exclude: ['**/*.{csv,log}', 'x/'] }, ['.env', 'logs/x']],
    ['an exclamation mark is a character', { exclude: ['!a.csv'] }, files],
  ])('%s', async (_what, options, expected) => {
    expect(await listed(files, options)).toEqual(expected);
  });

  it('a pattern that can never match is rejected', () => {
    using tree = tempTree();
    for (const pattern of ['', '/', './']) {
      expect(() => createFsSource(tree.root, { exclude: [pattern] })).toThrow(
        expect.objectContaining({ kind: 'usage' }),
      );
    }
  });
});

describe('.seineignore', () => {
  const without = (...gone: string[]) => files.filter((name) => !gone.includes(name));
  const rules: [string, Record<string, string>, string[]][] = [
    ['names and folders', { '': 'a.log\nlogs/\n# comment\n\n' }, without('a.log', 'logs/x')],
    ['folders of a name, but not the file', { '': 'a.csv/\nx/' }, without('x/docs/d')],
    ['all but what is taken back', { '': '*\n!*.csv\n!docs/' }, ['a.csv', 'docs/b.csv', 'docs/é.csv']],
    ['names below its own folder only', { 'docs/': '*.csv' }, without('docs/b.csv', 'docs/é.csv')],
    ['a path from its own folder', { 'docs/': '/deep/c.log' }, without('docs/deep/c.log')],
    [
      'less where an inner one takes back',
      { '': '*.csv', 'docs/': '!b.csv' },
      without('a.csv', 'docs/é.csv'),
    ],
    ['nothing when a folder is taken back', { '': 'docs/deep/', 'docs/': '!deep/' }, files],
    ['é, with the line ends of Windows', { '': '\ufeffé.csv\r\nlogs\r\n' }, without('docs/é.csv', 'logs/x')],
  ];
  it.each(rules)('excludes %s', async (_what, ignoreFiles, expected) => {
    using tree = tempTree(Object.fromEntries(files.map((name) => [name, 'x'])));
    for (const [folder, lines] of Object.entries(ignoreFiles))
      writeFileSync(tree.at(`${folder}.seineignore`), lines);
    const keys = (await keysOf(createFsSource(tree.root))).filter((key) => !key.endsWith('.seineignore'));
    expect(keys).toEqual(expected.map(keyOf));
    expect((await keysOf(createFsSource(tree.root, { ignoreFile: false }))).length).toBeGreaterThan(
      files.length,
    );
  });

  it('is ignored if it is a link or a pipe, without blocking', async () => {
    using tree = tempTree({ 'a/x': '', 'b/x': '', rules: '*' });
    symlinkSync('../rules', tree.at('a/.seineignore'));
    execFileSync('mkfifo', [`${tree.root}/b/.seineignore`]);
    expect(await keysOf(createFsSource(tree.root))).toEqual([
      'a/.seineignore',
      'a/x',
      'b/.seineignore',
      'b/x',
      'rules',
    ]);
  });

  it('works for more names than the cache holds', async () => {
    const { ignores } = NO_RULES.enter('a*/' as Key).plus('x*\n!x9\n')!;
    const ignored = Array.from({ length: 25_000 }, (_, i) => ignores(`a*/x${i}` as Key)).filter(Boolean);
    expect(ignored.length).toBe(24_999);
  });
});

describe('size, age and sample', () => {
  it('a file above the size limit is listed as unreadable', async () => {
    using tree = tempTree({ small: 'x'.repeat(10), large: 'x'.repeat(11) });
    const objects = await objectsOf(createFsSource(tree.root, { maxSize: 10 }));
    expect(objects.map((o) => [o.key, o.unreadable])).toEqual([
      ['large', 'larger than the size limit'],
      ['small', undefined],
    ]);
  });

  it('a file last modified before the given time is excluded', async () => {
    using tree = tempTree({ new: '', old: '', same: '' });
    utimesSync(tree.at('old'), 999, 999);
    utimesSync(tree.at('same'), 1000, 1000);
    const source = createFsSource(tree.root, { modifiedSince: 1_000_000 });
    expect(await keysOf(source)).toEqual(['new', 'same']);
    expect(source.excludedCounts().older).toBe(1);
  });

  it('only the sample is listed, the rest is counted', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `f/${i}`);
    using tree = tempTree(Object.fromEntries(names.map((name) => [name, ''])));
    const source = createFsSource(tree.root, { sample: 30 });
    const chosen = await keysOf(source);
    expect(chosen.length).toBeGreaterThan(30);
    expect(chosen.length).toBeLessThan(90);
    expect(source.excludedCounts().sampledOut).toBe(200 - chosen.length);
  });
});

describe('what the scope excludes', () => {
  it('is counted once, however the keys are partitioned', async () => {
    using tree = tempTree({ 'a/x': '', 'b/x': '', 'b/y': '', 'c.log': '', 'd/x.log': '', 'd/z': '', e: '' });
    tree.write(keyOf('.seineignore'), 'e\n');
    const options = { exclude: ['b', '*.log'] };
    const whole = createFsSource(tree.root, options);
    await keysOf(whole);
    expect(whole.excludedCounts()).toEqual({ ignored: 1, excluded: 3, sampledOut: 0, older: 0 });
    for (const cut of ['a/', 'b', 'b/', 'b/x', 'c', 'd/', 'd/x.log', 'e', 'z'] as Key[]) {
      const parts = createFsSource(tree.root, options);
      const keys = [
        ...(await keysOf(parts, { ...FULL_RANGE, upTo: cut })),
        ...(await keysOf(parts, { ...FULL_RANGE, after: cut })),
      ];
      expect(keys, cut).toEqual(['.seineignore', 'a/x', 'd/z']);
      expect(parts.excludedCounts(), cut).toEqual(whole.excludedCounts());
    }
  });

  it('is not counted by the search for a midpoint', async () => {
    using tree = tempTree({ a: '', b: '', c: '', 'd.log': '' });
    const source = createFsSource(tree.root, { exclude: ['*.log'] });
    expect(await source.midpoint(FULL_RANGE, neverAborted())).not.toBeNull();
    expect(source.excludedCounts().excluded).toBe(0);
  });
});
