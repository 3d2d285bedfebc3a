import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseDataFolder, openDataFolder } from './data-folder.ts';

const root = process.getuid?.() === 0;
let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'seine-data-'));
});
afterEach(() => rmSync(base, { recursive: true }));

describe('the data folder', () => {
  it('is the one of --data, before the one of the environment', () => {
    expect(chooseDataFolder('/a', { SEINE_DATA: '/b' })).toBe('/a');
    expect(chooseDataFolder(undefined, { SEINE_DATA: '/b', XDG_DATA_HOME: '/c' })).toBe('/b');
  });

  it.runIf(!root)("is in the user's place for data, and a relative XDG_DATA_HOME does not count", () => {
    expect(chooseDataFolder(undefined, { XDG_DATA_HOME: '/c', HOME: '/home/me' })).toBe('/c/seine');
    expect(chooseDataFolder(undefined, { XDG_DATA_HOME: 'c', HOME: '/home/me' })).toBe(
      '/home/me/.local/share/seine',
    );
  });

  it.runIf(root)("is in the machine's place for root", () => {
    expect(chooseDataFolder(undefined, { HOME: '/home/me' })).toBe('/var/lib/seine/data');
  });

  it('is made for its owner alone: nobody else can look inside', () => {
    const folder = openDataFolder(join(base, 'new/data'));
    expect(statSync(folder).mode & 0o066).toBe(0);
  });

  it('keeps the mode of a folder that was there', () => {
    chmodSync(base, 0o750);
    openDataFolder(base);
    expect(statSync(base).mode & 0o777).toBe(0o750);
  });

  it('that is a file is refused with a way out', () => {
    const file = join(base, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      expect(() => openDataFolder(path)).toThrow(
        expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('--data') }),
      );
    }
  });

  it.runIf(!root)('that cannot be written is refused', () => {
    chmodSync(base, 0o500);
    expect(() => openDataFolder(join(base, 'data'))).toThrow(expect.objectContaining({ kind: 'permission' }));
    expect(() => openDataFolder(base)).toThrow(expect.objectContaining({ kind: 'permission' }));
  });
});
