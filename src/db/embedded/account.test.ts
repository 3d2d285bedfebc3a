import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canAccess, initdbAccount, isDedicated, isMapped, serverAccount } from './account.ts';

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
    expect(canAccess(file, stranger)).toBe(true);
    chmodSync(base, 0o700);
    expect(canAccess(file, stranger)).toBe(false);
    chmodSync(base, 0o711);
  });

  it('needs the right to read it', () => {
    chmodSync(file, 0o600);
    expect(canAccess(file, stranger)).toBe(false);
    expect(canAccess(file, { uid: statSync(file).uid, gid: 0 })).toBe(true);
    chmodSync(file, 0o644);
  });

  it("uses the group's bits for a member, even when others have more rights", () => {
    chmodSync(file, 0o604);
    expect(canAccess(file, stranger)).toBe(true);
    expect(canAccess(file, { uid: 54321, gid: statSync(file).gid })).toBe(false);
    chmodSync(file, 0o644);
  });

  it('is no for what does not exist, and yes when we are that account', () => {
    expect(canAccess(join(base, 'gone'), stranger)).toBe(false);
    expect(canAccess(join(base, 'gone'), null)).toBe(true);
  });
});

describe('the numbers of accounts', () => {
  const high = { from: 2_010_000_000, count: 130_000_000 };
  const low = { from: 60_706, count: 478 };

  it('are chosen among those that this user namespace has', () => {
    const all = '         0          0 4294967295\n';
    const rootless = '         0       1000          1\n         1     100000      65536\n';
    expect([high, low].map((range) => isMapped(all, range))).toEqual([true, true]);
    expect([high, low].map((range) => isMapped(rootless, range))).toEqual([false, true]);
    expect(isMapped('', high)).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)(
    'are those of no account, differ between databases and stay (needs root)',
    () => {
      const accounts = ['00aa', '11bb', 'ffff'].map((id) =>
        serverAccount(`${id}000000000000`, '/nonexistent'),
      );
      expect(new Set(accounts.map((account) => account?.uid)).size).toBe(3);
      for (const account of accounts) {
        expect(isDedicated(account!.uid)).toBe(true);
        expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${account!.uid}:`);
      }
      expect(serverAccount('00aa000000000000', '/nonexistent')).toEqual(accounts[0]);
      const { uid } = initdbAccount(accounts[0]!);
      expect(uid).not.toBe(0);
      expect(readFileSync('/etc/passwd', 'utf8')).toContain(`:${uid}:`);
    },
  );
});
