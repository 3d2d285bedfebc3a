import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

  it.runIf(!root)("is in the user's data folder, and a relative XDG_DATA_HOME is ignored", () => {
    expect(chooseDataFolder(undefined, { XDG_DATA_HOME: '/c', HOME: '/home/me' })).toBe('/c/seine');
    expect(chooseDataFolder(undefined, { XDG_DATA_HOME: 'c', HOME: '/home/me' })).toBe(
      '/home/me/.local/share/seine',
    );
  });

  it.runIf(root)("is in the machine's folder for root", () => {
    expect(chooseDataFolder(undefined, { HOME: '/home/me' })).toBe('/var/lib/seine/data');
  });

  it('is accessible by its owner only', () => {
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

  it('that every user can change is refused with a way out', () => {
    chmodSync(base, 0o777);
    expect(() => openDataFolder(base)).toThrow(
      expect.objectContaining({
        kind: 'permission',
        message: expect.stringContaining('can be changed by other users'),
        hint: expect.stringMatching(/--data.*chmod go-w/),
      }),
    );
    chmodSync(base, 0o1777); // the sticky bit protects files, but other users can add some
    expect(() => openDataFolder(base)).toThrow('can be changed by other users');
  });

  it.runIf(root)('of another user is refused, also for root (needs root)', () => {
    chownSync(base, 12_345, 12_345);
    expect(() => openDataFolder(base)).toThrow(
      expect.objectContaining({ kind: 'permission', hint: expect.stringContaining('run as the user 12345') }),
    );
  });

  it.runIf(root)('below a folder of another user, who could replace it, is rejected (needs root)', () => {
    const inner = openDataFolder(join(base, 'home/data'));
    chownSync(join(base, 'home'), 12_345, 12_345);
    expect(() => openDataFolder(inner)).toThrow(`is in ${join(base, 'home')}, which other users can change`);
  });

  it.runIf(root)('of root below a folder that every user can change is refused (needs root)', () => {
    mkdirSync(join(base, 'open'));
    chmodSync(join(base, 'open'), 0o777);
    expect(() => openDataFolder(join(base, 'open/data'))).toThrow('which other users can change');
    chmodSync(join(base, 'open'), 0o1777);
    openDataFolder(join(base, 'open/data'));
  });

  it.runIf(root)('open to all is refused with a way out that works (needs root)', () => {
    const volume = join(base, 'volume');
    chmodSync(base, 0o755);
    mkdirSync(volume);
    chmodSync(volume, 0o777);
    const inner = join(volume, 'seine');
    expect(() => openDataFolder(inner)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`chmod +t ${volume}`) }),
    );
    chmodSync(volume, 0o1777);
    openDataFolder(inner);
    rmSync(inner, { recursive: true });
    process.seteuid!(12_345);
    try {
      expect(() => openDataFolder(volume)).toThrow(
        expect.objectContaining({ hint: expect.stringContaining(`one in it: ${inner}`) }),
      );
    } finally {
      process.seteuid!(0);
    }
  });

  it.runIf(!root)('that cannot be written is refused', () => {
    chmodSync(base, 0o500);
    expect(() => openDataFolder(join(base, 'data'))).toThrow(expect.objectContaining({ kind: 'permission' }));
    expect(() => openDataFolder(base)).toThrow(expect.objectContaining({ kind: 'permission' }));
  });
});
