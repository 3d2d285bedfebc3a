import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { many, one } from '../database.ts';
import { openDatabase } from '../pool.ts';
import { type Cluster, clusterFolder, locateCluster } from './cluster.ts';
import { serverPid, stopServer } from './server.ts';
import { startEmbeddedServer } from './start.ts';

const IDLE_STOP = '0.5';
let template: string;
let folder: string;
beforeAll(async () => {
  process.env.SEINE_IDLE_STOP = IDLE_STOP;
  template = temporaryFolder();
  await (await startEmbeddedServer(template)).close();
  await stopped(locateCluster(template));
});
afterAll(() => {
  delete process.env.SEINE_IDLE_STOP; // set by other test files in this process
  rmSync(template, { recursive: true });
});
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  if (!existsSync(join(folder, 'postgres.json'))) return rmSync(folder, { recursive: true, force: true });
  const cluster = locateCluster(folder);
  await stopped(cluster);
  for (const path of [cluster.home, cluster.socket, folder]) rmSync(path, { recursive: true, force: true });
});

describe('the private server', () => {
  it('is shared by processes that start together', async () => {
    const all = await Promise.all([
      startEmbeddedServer(folder),
      startEmbeddedServer(folder),
      startEmbeddedServer(folder),
    ]);
    expect(new Set(all.map((each) => each.connectionString)).size).toBe(1);
    await until(() => supervisors(locateCluster(folder)).length === 1);
    await Promise.all(all.map((each) => each.close()));
    expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('stops after the idle time, and not before', async () => {
    const cluster = await used();
    const guest = await startEmbeddedServer(folder);
    await sleep(1_000);
    expect(serverPid(cluster)).not.toBeNull();
    await guest.close();
    await until(() => serverPid(cluster) === null && supervisors(cluster).length === 0);
  });

  it('is left to the supervisor by a process that was killed', async () => {
    prepared();
    const killed = await visitor();
    const cluster = locateCluster(folder);
    killed.kill('SIGKILL');
    await until(() => serverPid(cluster) === null);
  });

  it('keeps its data over a restart, and no value reaches its log', async () => {
    prepared();
    const first = await openDatabase({ dataFolder: folder });
    await first.query('create table public.note (text text unique)');
    await first.query(`insert into note values ('kept-4111111111111111')`);
    await first.query(`insert into note values ('kept-4111111111111111')`).catch(() => {});
    await first.query('select $1::int', ['kept-4111111111111111']).catch(() => {});
    await first.close();
    await stopped(locateCluster(folder));
    const second = await openDatabase({ dataFolder: folder });
    expect(await many(second, 'select text from note')).toEqual([{ text: 'kept-4111111111111111' }]);
    await second.close();
    const log = readFileSync(join(folder, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('4111');
  });

  it('stops when its data folder is deleted', async () => {
    const cluster = await used();
    const server = serverPid(cluster);
    rmSync(folder, { recursive: true, maxRetries: 5 });
    await until(() => supervisors(cluster).length === 0);
    expect(processesOf(clusterFolder(cluster))).not.toContain(server);
  });

  it('rejects clients without the password, and listens on no port', async () => {
    prepared();
    const db = await openDatabase({ dataFolder: folder });
    expect(await one(db, 'show listen_addresses')).toEqual({ listen_addresses: '' });
    const stranger = await openDatabase({
      databaseUrl: `postgres://seine:guess@/postgres?host=${encodeURIComponent(locateCluster(folder).socket)}`,
    });
    await expect(stranger.query('select 1')).rejects.toMatchObject({ kind: 'permission' });
    await stranger.close();
    await db.close();
  });
});

describe('after a kill -9', () => {
  it('of the supervisor, the server continues and gets a new supervisor', async () => {
    process.env.SEINE_IDLE_STOP = '60'; // it is unused for a moment, and the supervisor must not stop it then
    const cluster = await used();
    process.env.SEINE_IDLE_STOP = IDLE_STOP;
    const server = serverPid(cluster);
    await killSupervisors(cluster);
    const again = await startEmbeddedServer(folder);
    expect(serverPid(cluster)).toBe(server);
    await until(() => supervisors(cluster).length === 1);
    await again.close();
    await until(() => serverPid(cluster) === null);
  });

  it('of the supervisor while in use, a user gets a new one and the server still stops', async () => {
    prepared();
    const guest = await startEmbeddedServer(folder);
    const cluster = locateCluster(folder);
    await until(() => supervisors(cluster).length === 1);
    await killSupervisors(cluster);
    await until(() => supervisors(cluster).length === 1);
    await guest.close();
    await until(() => serverPid(cluster) === null);
  });

  it('of the server, the supervisor restarts it and open pools continue', async () => {
    prepared();
    const db = await openDatabase({ dataFolder: folder });
    await db.query('create table public.note as select 1 as n');
    process.kill(serverPid(locateCluster(folder))!, 'SIGKILL');
    await expectSoon(() => many(db, 'select n from note'), [{ n: 1 }]);
    await db.close();
  });

  it('of both, an open pool starts them again', async () => {
    prepared();
    const db = await openDatabase({ dataFolder: folder });
    await db.query('create table public.note as select 1 as n');
    const cluster = locateCluster(folder);
    await killSupervisors(cluster);
    process.kill(serverPid(cluster)!, 'SIGKILL');
    await expectSoon(() => many(db, 'select n from note'), [{ n: 1 }]);
    await db.close();
  });

  it('a lock file with the number of some other process does not matter', async () => {
    const cluster = await used();
    await stopped(cluster);
    writeFileSync(
      join(clusterFolder(cluster), 'postmaster.pid'),
      `${process.pid}\n${clusterFolder(cluster)}\n`,
    );
    await (await startEmbeddedServer(folder)).close();
  });

  it('in the middle of initdb, the next start creates a complete cluster, and removes old drafts', async () => {
    const cut = spawnVisitor();
    const drafts = () => readdirSync(folder).filter((name) => name.includes('.new-'));
    await until(() => drafts().length > 0);
    const draft = join(folder, drafts()[0]!);
    // Wait until it really runs: a child between fork and exec can't be distinguished from its parent, and
    // would start unnoticed.
    await until(() => processesOf(join(draft, 'data')).length > 0);
    cut.kill('SIGKILL');
    await until(() => processesOf(join(draft, 'data')).length === 0); // the orphaned initdb ends
    utimesSync(draft, 0, 0);
    await (await startEmbeddedServer(folder)).close();
    await until(() => !existsSync(draft));
  });
});

describe('the location of the cluster', () => {
  it('may have a path too long for a socket', async () => {
    const deep = join(folder, 'd'.repeat(90));
    mkdirSync(deep, { mode: 0o711 });
    const server = await startEmbeddedServer(deep);
    const { socket } = locateCluster(deep);
    expect(socket).toMatch(/^\/tmp\/seine-[0-9a-f]{16}$/);
    await server.close();
    await stopped(locateCluster(deep));
    rmSync(socket, { recursive: true });
  });

  it.runIf(process.getuid?.() === 0)(
    'is elsewhere when root hides the data folder from everybody',
    async () => {
      chmodSync(folder, 0o700);
      const db = await openDatabase({ dataFolder: folder });
      const { home } = locateCluster(folder);
      expect(home).toMatch(/^\/var\/lib\/seine\/clusters\//);
      await db.query('create table public.note as select 1 as n');
      await db.close();
      // A deleted and recreated folder gets a new cluster.
      const kept = join(folder, 'kept.json');
      renameSync(join(folder, 'postgres.json'), kept);
      await until(() => supervisors({ dataFolder: folder }).length === 0);
      const anew = locateCluster(folder);
      expect(anew.home).not.toBe(home);
      renameSync(kept, join(folder, 'postgres.json'));
      const copy = join(folder, 'copy');
      mkdirSync(copy);
      writeFileSync(join(copy, 'postgres.json'), readFileSync(join(folder, 'postgres.json')), {
        mode: 0o600,
      });
      await stopped(locateCluster(folder));
      await expect(startEmbeddedServer(copy)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('copy'),
      });
    },
  );

  it('with another version of PostgreSQL is refused with a way out', async () => {
    const cluster = await used();
    await stopped(cluster);
    writeFileSync(join(clusterFolder(cluster), 'PG_VERSION'), '17\n');
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('PostgreSQL 17'),
      hint: expect.stringContaining('pg_dump'),
    });
  });

  it('is not silently recreated when it was lost', async () => {
    const cluster = await used();
    await stopped(cluster);
    rmSync(cluster.home, { recursive: true });
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('that cannot start shows the end of the log', async () => {
    const cluster = await used();
    await stopped(cluster);
    rmSync(join(clusterFolder(cluster), 'global/pg_control'));
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
      kind: 'unavailable',
      hint: expect.stringContaining('pg_control'),
    });
  });
});

/** Copies an existing cluster, which saves the second that `initdb` takes. */
function prepared(): void {
  execFileSync('cp', ['-a', `${template}/.`, folder]);
}

async function used(): Promise<Cluster> {
  prepared();
  await (await startEmbeddedServer(folder)).close();
  return locateCluster(folder);
}

function spawnVisitor(): ChildProcess {
  const script = `import { startEmbeddedServer } from '${import.meta.dirname}/start.ts';
    await startEmbeddedServer(process.argv[1]);
    process.stdout.write('here');
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** A process that uses the server until it is killed. */
async function visitor(): Promise<ChildProcess> {
  const child = spawnVisitor();
  await once(child.stdout!, 'data');
  return child;
}

function supervisors(cluster: { dataFolder: string }): number[] {
  return processesOf(cluster.dataFolder, /\/server-supervisor\.ts$/);
}

/** The processes with both patterns in their command line. */
function processesOf(word: string, another = /./): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words.includes(word) && words.some((each) => another.test(each));
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function killSupervisors(cluster: Cluster): Promise<void> {
  const killed = supervisors(cluster);
  for (const pid of killed) send(pid, 'SIGKILL');
  await until(() => !supervisors(cluster).some((pid) => killed.includes(pid)));
}

/** It may have ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits for the stop, which comes before the idle stop. */
async function stopped(cluster: Cluster): Promise<void> {
  await waitUntil('the server and its supervisor to stop', async () => {
    for (const pid of supervisors(cluster)) send(pid, 'SIGTERM');
    if (supervisors(cluster).length === 0) await stopServer(serverPid(cluster));
    return supervisors(cluster).length === 0 && serverPid(cluster) === null;
  });
}

async function until(condition: () => boolean): Promise<void> {
  await waitUntil(String(condition), condition);
}

async function expectSoon<T>(attempt: () => Promise<T>, expected: T): Promise<void> {
  let got: T | null = null;
  await waitUntil('a successful attempt', async () => {
    got = await attempt().catch((error: { retry?: boolean }) => {
      if (error.retry !== true) throw error;
      return null;
    });
    return got !== null;
  });
  expect(got).toEqual(expected);
}
