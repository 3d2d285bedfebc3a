import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canReach } from './account.ts';

const stranger = { uid: 54321, gid: 54321 };
let base: string;
let file: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'seine-account-'));
  chmodSync(base, 0o711);
  mkdirSync(join(base, 'inner'), { mode: 0o755 });
  file = join(base, 'inner/file');
  writeFileSync(file, '', { mode: 0o644 });
});
afterAll(() => rmSync(base, { recursive: true }));

describe('whether an account can reach a file', () => {
  it('needs passage through every folder, not the right to list it', () => {
    expect(canReach(file, stranger)).toBe(true);
    chmodSync(base, 0o700);
    expect(canReach(file, stranger)).toBe(false);
    chmodSync(base, 0o711);
  });

  it('needs the right to read it', () => {
    chmodSync(file, 0o600);
    expect(canReach(file, stranger)).toBe(false);
    expect(canReach(file, { uid: statSync(file).uid, gid: 0 })).toBe(true);
    chmodSync(file, 0o644);
  });

  it("is judged by the group's bits for a member, even when all others may do more", () => {
    chmodSync(file, 0o604);
    expect(canReach(file, stranger)).toBe(true);
    expect(canReach(file, { uid: 54321, gid: statSync(file).gid })).toBe(false);
    chmodSync(file, 0o644);
  });

  it('is no for what does not exist, and yes when we are that account', () => {
    expect(canReach(join(base, 'gone'), stranger)).toBe(false);
    expect(canReach(join(base, 'gone'), null)).toBe(true);
  });
});
