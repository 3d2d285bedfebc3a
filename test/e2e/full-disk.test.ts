/** The disk of the data folder is full: a sentence and 1, at the first start as well as in the middle of a scan. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { reportMissing } from '../support/missing.ts';
import { type Ended, openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
const disks: string[] = [];
const canMount = mountDisk('trial', '1m') !== null;
reportMissing('small disks', canMount ? null : 'File systems can only be mounted by root.', {
  isOptional: true,
});
afterAll(async () => {
  await seine.close().catch(() => {}); // waits for the servers; the disks are still in the way
  for (const disk of disks) execFileSync('umount', [disk]);
  await seine.close();
});

const FILES = 60;
const tree = join(seine.folder, 'tree');
const mails = (file: number) =>
  Array.from({ length: 900 }, (_, n) => `someone.number.${file}.${n}@mail.example.org`);

describe('a full disk (needs the right to mount)', () => {
  it.skipIf(!canMount)('at the first start is reported in one sentence', async () => {
    put(tree, 'a.txt', 'ssn 219-18-4417\n');
    const data = mountDisk('small', '8m')!;
    const ended = await seine.run(['scan', tree], { env: { SEINE_DATA: data } });
    expectSentence(ended);
  });

  it.skipIf(!canMount)(
    'during a scan is reported in one sentence, and with more space the scan can be resumed',
    async () => {
      const data = mountDisk('medium', '300m')!;
      const env = { SEINE_DATA: data };
      expect((await seine.run(['scans'], { env })).code).toBe(0);
      const { bavail, bsize } = statfsSync(data);
      writeFileSync(join(data, 'ballast'), Buffer.alloc(bavail * bsize - 12_000_000));
      for (let n = 0; n < FILES; n++) put(tree, `mails/${n}.txt`, mails(n).join('\n'));
      const ended = await seine.run(['scan', tree], { env });
      expectSentence(ended);

      execFileSync('rm', [join(data, 'ballast')]);
      const resumed = await seine.run(['resume', '--json'], { env });
      expect(resumed.code).toBe(0);
      expect(JSON.parse(resumed.stdout).findings).toBe(FILES * 900 + 1);
    },
  );
});

function expectSentence({ code, stdout, stderr }: Ended): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^seine: .*(full|space).*$/im);
  expect(stderr).not.toMatch(/\n\s+at |bug in Seine/);
}

/** A small disk of its own, in memory; null when this machine does not let us. */
function mountDisk(name: string, size: string): string | null {
  const folder = join(seine.folder, name);
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0711`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    disks.push(folder);
    return folder;
  } catch {
    return null;
  }
}
