import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/database.ts';
import { exited } from '../../../test/support/processes.ts';
import { type Cluster, clusterFolder, locateCluster } from './cluster.ts';
import { hostIdentity } from './host-identity.ts';
import { initializeCluster } from './initialize.ts';
import {
  createRecord,
  heartbeat,
  type LockRecord,
  lockFolder,
  openLockFolder,
  readLock,
  rewriteRecord,
} from './server-lock.ts';
import { startEmbeddedServer, startError } from './start.ts';

let folder: string;
let cluster: Cluster;
beforeEach(async () => {
  process.env.SEINE_IDLE_STOP = '0.2';
  folder = temporaryFolder();
  cluster = locateCluster(folder);
  await initializeCluster(cluster);
  openLockFolder(cluster);
});
afterEach(async () => {
  delete process.env.SEINE_IDLE_STOP; // set by other test files in this process
  delete process.env.SEINE_TAKEOVER;
  rmSync(join(folder, 'postgres.json'), { force: true }); // the supervisor exits then
  await exited(folder);
  rmSync(folder, { recursive: true, force: true });
});

function record(more: Partial<LockRecord> = {}): LockRecord {
  const elsewhere = { host: 'elsewhere', machine: 'another', boot: 'another', pidNamespace: 'pid:[1]' };
  return {
    ...elsewhere,
    generation: 3,
    keeper: 7,
    socket: '3-a.sock',
    state: 'held',
    beat: 1,
    beatAt: 0,
    ...more,
  };
}

/** The lock file of a server on another machine. */
function foreignLockFile(): string {
  const path = join(clusterFolder(cluster), 'postmaster.pid');
  writeFileSync(path, '999999999\n');
  return path;
}

describe('the lock of a cluster', () => {
  it('is granted to one of two that claim the same generation, or an earlier one', () => {
    expect(createRecord(cluster, record({ generation: 3 }))).toBe(true);
    expect(createRecord(cluster, record({ generation: 3, host: 'late' }))).toBe(false);
    expect(createRecord(cluster, record({ generation: 2, host: 'later' }))).toBe(false);
    expect(readLock(cluster)).toMatchObject({ generation: 3, host: 'elsewhere' });
  });

  it('leaves no files of earlier generations behind', () => {
    for (const generation of [1, 2, 3]) {
      writeFileSync(join(lockFolder(cluster), `${generation}-left.sock`), '');
      createRecord(cluster, record({ generation }));
    }
    expect(readdirSync(lockFolder(cluster)).sort()).toEqual(['3-left.sock', '3.json']);
  });
});

describe('the record of a supervisor that is not visible from here', () => {
  it('is respected while its heartbeat continues, and so is the lock file of its server', async () => {
    createRecord(cluster, record());
    const lockFile = foreignLockFile();
    process.env.SEINE_TAKEOVER = '600,600';
    let beat = 1;
    const beating = setInterval(() => rewriteRecord(cluster, record({ beat: ++beat })), 100);
    try {
      await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('elsewhere'),
        hint: expect.stringMatching(/DATABASE_URL.*--data/),
      });
    } finally {
      clearInterval(beating);
    }
    expect(existsSync(lockFile)).toBe(true);
  });

  it('is replaced when its heartbeat stops', async () => {
    createRecord(cluster, record());
    foreignLockFile();
    process.env.SEINE_TAKEOVER = '1,0.5';
    await (await startEmbeddedServer(folder)).close();
    expect(readLock(cluster)).toMatchObject({ generation: 4, host: hostIdentity().host });
  });

  it('is replaced at once on a disk that no other host can mount, because its sockets show that it is dead', async () => {
    createRecord(cluster, record());
    foreignLockFile();
    await (await startEmbeddedServer(folder)).close();
    expect(readLock(cluster)).toMatchObject({ generation: 4, host: hostIdentity().host });
  });

  it('is replaced at once when it was released', async () => {
    createRecord(cluster, record({ state: 'released' }));
    process.env.SEINE_TAKEOVER = '600,600';
    await (await startEmbeddedServer(folder)).close();
  });
});

describe('a record that cannot be understood, as a power failure may leave it', () => {
  const path = () => join(lockFolder(cluster), '3.json');

  it.each([
    ['is empty', ''],
    ['holds zeros', '\0\0\0\0'],
    ['was cut short', '{"generation":3,"hos'],
    ['is no record', '{"generation":3}'],
    ['is null', 'null'],
  ])(
    'counts as that of an unknown host when it %s, and is replaced when nothing changes it',
    async (_, text) => {
      writeFileSync(path(), text);
      foreignLockFile();
      process.env.SEINE_TAKEOVER = '0.5,0.5';
      await (await startEmbeddedServer(folder)).close();
      expect(readLock(cluster)).toMatchObject({ generation: 4, host: hostIdentity().host });
    },
  );

  it('is replaced at once on a disk that no other host can mount when the sockets of its generation are closed', async () => {
    writeFileSync(path(), '');
    writeFileSync(join(lockFolder(cluster), '3-ab12.sock'), '');
    foreignLockFile();
    await (await startEmbeddedServer(folder)).close();
    expect(readLock(cluster)).toMatchObject({ generation: 4, host: hostIdentity().host });
  });

  it('is respected while its time changes, and the message names the file', async () => {
    writeFileSync(path(), '');
    const lockFile = foreignLockFile();
    process.env.SEINE_TAKEOVER = '600,600';
    let at = 1;
    const beating = setInterval(() => utimesSync(path(), ++at, at), 100);
    try {
      await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('3.json'),
        hint: expect.stringMatching(/DATABASE_URL.*--data/),
      });
    } finally {
      clearInterval(beating);
    }
    expect(existsSync(lockFile)).toBe(true);
  });

  it('that cannot even be opened as a file leads to a message that names it', async () => {
    mkdirSync(path());
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
      message: expect.stringContaining(path()),
      hint: expect.stringContaining('remove'),
    });
  });
});

describe('a disk without room', () => {
  it('keeps neither drafts nor sockets of records that could not be written, and the time of the record still changes', () => {
    createRecord(cluster, record());
    utimesSync(join(lockFolder(cluster), '3.json'), 1, 1);
    const before = heartbeat(cluster);
    withoutRoom(`
      lock.rewriteRecord(cluster, record);
      try { lock.createRecord(cluster, { ...record, generation: 4 }) } catch {}
      await HeldLock.claim(cluster, record, { after: 3, state: 'held' }, () => {}).catch(() => {});`);
    expect(readdirSync(lockFolder(cluster))).toEqual(['3.json']);
    expect(heartbeat(cluster)).not.toBe(before);
  });

  /** Runs in a process that cannot write any byte to a file. */
  function withoutRoom(work: string): void {
    const load = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const program = `
      const lock = await import(${load('./server-lock.ts')});
      const { HeldLock } = await import(${load('./held-lock.ts')});
      const [cluster, record] = ${JSON.stringify([cluster, record()])};
      ${work}`;
    const limited = 'ulimit -f 0 && exec "$0" --input-type=module --eval "$1"';
    execFileSync('bash', ['-c', limited, process.execPath, program]);
  }

  it('is reported as such, whether PostgreSQL or the supervisor detects it', async () => {
    for (const text of [
      'FATAL:  could not write: No space left on device',
      'ENOSPC: no space left on device, write',
    ])
      expect(startError(cluster, text)).toMatchObject({ kind: 'limit' });
  });
});

describe('the server of a dead supervisor gets time to detect that it must end', () => {
  it('again when the waiting supervisor was killed', async () => {
    createRecord(cluster, record({ ...hostIdentity(), state: 'fencing' }));
    await fencedFirst();
  });

  it('when a version without locks has left its lock file', async () => {
    foreignLockFile();
    await fencedFirst();
  });

  /** Starts a supervisor that stays in state fencing until it is killed. */
  async function fencedFirst(): Promise<void> {
    process.env.SEINE_TAKEOVER = '600,600';
    const before = readLock(cluster)?.generation ?? 0;
    const start = startEmbeddedServer(folder).then(
      () => 'started',
      () => 'failed',
    );
    for (const deadline = performance.now() + 30_000; ; await sleep(20)) {
      const now = readLock(cluster);
      if (now?.state === 'fencing' && now.generation > before) break;
      if (performance.now() > deadline)
        throw new Error('Waited in vain for a record in the state "fencing".');
      if ((await Promise.race([start, sleep(0)])) === 'started') throw new Error('It started at once.');
    }
    createRecord(cluster, { ...readLock(cluster)!, generation: before + 2, socket: null, state: 'released' });
    expect(await start).toBe('started'); // by another supervisor, after this one has lost the lock
  }
});
