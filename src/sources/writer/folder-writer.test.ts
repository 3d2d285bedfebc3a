import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolderWriter } from './folder-writer.ts';

const never = new AbortController().signal;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seine-writer-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a folder writer', () => {
  it('creates the file and its parent folders, and nothing else', async () => {
    await createFolderWriter(root).put('a/b/c.txt', [Buffer.from('one '), Buffer.from('two')], never);
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('one two');
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt']);
  });

  it('creates files and folders that only the owner can access', async () => {
    await createFolderWriter(root).put('a/b/c.txt', [Buffer.from('one')], never);
    const modes = ['a', 'a/b', 'a/b/c.txt'].map((name) => statSync(join(root, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });

  it('shows nothing under the name while it is being written', async () => {
    const seen = new Set<string>();
    async function* content() {
      for (let n = 0; n < 50; n++) {
        yield Buffer.alloc(1 << 16);
        for (const name of readdirSync(join(root, 'a'))) seen.add(name);
      }
    }
    await createFolderWriter(root).put('a/c.txt', content(), never);
    expect([...seen]).toEqual([expect.stringMatching(/^\.c\.txt\.[0-9a-f]{8}\.partial$/)]);
    expect(readdirSync(join(root, 'a'))).toEqual(['c.txt']);
  });

  it('keeps the existing file if the new one breaks off, and no part of the new one', async () => {
    writeFileSync(join(root, 'c.txt'), 'before');
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('the database went away');
    }
    await expect(createFolderWriter(root).put('c.txt', broken(), never)).rejects.toThrow('the database');
    expect(readdirSync(root)).toEqual(['c.txt']);
    expect(readFileSync(join(root, 'c.txt'), 'utf8')).toBe('before');
  });

  it('leaves the folder unchanged if the process stops', async () => {
    const stop = new AbortController();
    async function* endless() {
      for (;;) {
        yield Buffer.from('x');
        stop.abort();
      }
    }
    await expect(createFolderWriter(root).put('c.txt', endless(), stop.signal)).rejects.toThrow();
    expect(readdirSync(root)).toEqual([]);
  });

  it('deletes what a killed writer left behind, and nothing else', async () => {
    const writer = createFolderWriter(root);
    await writer.put('scan-1/round-0/a.jsonl', [Buffer.from('whole')], never);
    writeFileSync(join(root, 'scan-1/round-0/.b.jsonl.0123abcd.partial'), 'half');
    writeFileSync(join(root, 'scan-1/round-0/.hidden'), 'of somebody');
    await writer.sweep('scan-1/round-0', never);
    expect(readdirSync(join(root, 'scan-1/round-0')).sort()).toEqual(['.hidden', 'a.jsonl']);
    await writer.sweep('scan-2/round-0', never); // does not exist yet
    expect(existsSync(join(root, 'scan-2'))).toBe(false);
  });

  it('reports what is in the way', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(createFolderWriter(root).put('file/c.txt', [], never)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('is a file, not a folder'),
    });
  });

  it.skipIf(process.getuid?.() === 0)('reports that it may not write there', async () => {
    chmodSync(root, 0o500);
    await expect(createFolderWriter(root).put('c.txt', [], never)).rejects.toMatchObject({
      kind: 'permission',
      retry: false,
    });
  });
});
