import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queryable } from '../../db/database.ts';
import { checkFingerprintKey, fingerprintKey } from './fingerprint-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the fingerprint key', () => {
  it('is created once, readable by its owner only, and then kept', () => {
    const key = fingerprintKey(folder, {});
    expect(key).toHaveLength(32);
    expect(fingerprintKey(folder, {})).toEqual(key);
    expect(readFileSync(join(folder, 'fingerprint.key'))).toEqual(key);
    expect(statSync(join(folder, 'fingerprint.key')).mode & 0o777).toBe(0o600);
  });

  it('comes from the environment where that names one', () => {
    const SEINE_FINGERPRINT_KEY = '0f'.repeat(32);
    expect(fingerprintKey(folder, { SEINE_FINGERPRINT_KEY })).toEqual(Buffer.alloc(32, 0x0f));
    expect(() => fingerprintKey(folder, { SEINE_FINGERPRINT_KEY: '0f' })).toThrow('64 hexadecimal digits');
  });

  it.each([0, 31, 33])('of %i bytes is damaged, and the hint leads out of it', (length) => {
    writeFileSync(join(folder, 'fingerprint.key'), Buffer.alloc(length), { mode: 0o600 });
    const hint = hintOf(() => fingerprintKey(folder, {}));
    expect(hint).toContain('from a backup');
    expect(hint).toContain(`move the data folder ${folder} away`);
    expect(hint).toContain('use another database');
    expect(hint).not.toContain('remove it');
  });

  it.each([0o644, 0o640, 0o604, 0o622])(
    'with the mode %o is refused, and the hint says how to close it',
    (mode) => {
      fingerprintKey(folder, {});
      chmodSync(join(folder, 'fingerprint.key'), mode);
      expect(() => fingerprintKey(folder, {})).toThrow(/can be (read|changed) by other users/);
      expect(hintOf(() => fingerprintKey(folder, {}))).toContain(`chmod 600 ${folder}/fingerprint.key`);
    },
  );

  it('that is a link is refused: it could be any file', () => {
    fingerprintKey(folder, {});
    renameSync(join(folder, 'fingerprint.key'), join(folder, 'other'));
    symlinkSync(join(folder, 'other'), join(folder, 'fingerprint.key'));
    expect(() => fingerprintKey(folder, {})).toThrow('is a symbolic link');
    rmSync(join(folder, 'other'));
    expect(() => fingerprintKey(folder, {})).toThrow('is a symbolic link');
  });

  it('that is a named pipe is refused, not waited for', () => {
    execFileSync('mkfifo', ['-m', '600', join(folder, 'fingerprint.key')]);
    expect(() => fingerprintKey(folder, {})).toThrow('is not a regular file');
  });

  it.runIf(process.getuid?.() === 0)('of another user is refused (needs root)', () => {
    fingerprintKey(folder, {});
    chownSync(join(folder, 'fingerprint.key'), 12_345, 12_345);
    expect(() => fingerprintKey(folder, {})).toThrow('belongs to another user (12345)');
  });

  it('that filled a database is accepted again, and no other', async () => {
    const db = rememberingDatabase();
    await checkFingerprintKey(db, 'default', Buffer.alloc(32, 1));
    await checkFingerprintKey(db, 'default', Buffer.alloc(32, 1));
    await expect(checkFingerprintKey(db, 'default', Buffer.alloc(32, 2))).rejects.toMatchObject({
      kind: 'conflict',
      hint: expect.stringMatching(/backup.*move the data folder away.*use another database/),
    });
  });
});

function hintOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return (error as { hint?: string }).hint;
  }
  return undefined;
}

/** Keeps the first value stored, as the table does. */
function rememberingDatabase(): Queryable {
  let kept: unknown;
  return {
    async query<Row>(sql: string, params: readonly unknown[] = []) {
      if (sql.startsWith('insert')) kept ??= params[1];
      const rows = sql.startsWith('select') ? [{ value: kept } as Row] : [];
      return { rows, rowCount: rows.length };
    },
  };
}
