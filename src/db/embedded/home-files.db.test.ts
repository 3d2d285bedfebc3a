import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/database.ts';
import { exited } from '../../../test/support/processes.ts';
import { one } from '../database.ts';
import { openDatabase } from '../pool.ts';
import { isDedicated, nobodyId } from './account.ts';
import { type Cluster, clusterFolder, locateCluster } from './cluster.ts';
import { chownTree, isSocketFolderOurs, prepareFiles } from './home-files.ts';
import { initializeCluster } from './initialize.ts';
import { serverPid } from './server.ts';
import { startEmbeddedServer } from './start.ts';

const root = process.getuid?.() === 0;
let folder: string;
let cluster: Cluster;
beforeEach(async () => {
  process.env.SEINE_IDLE_STOP = '0.2';
  folder = temporaryFolder();
  cluster = locateCluster(folder);
  await initializeCluster(cluster);
});
afterEach(async () => {
  delete process.env.SEINE_IDLE_STOP; // set by other test files in this process
  rmSync(join(folder, 'postgres.json'), { force: true }); // the supervisor exits then
  await exited(folder);
  rmSync(folder, { recursive: true, force: true });
});

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    join(parentPath, name),
  );
}

/** A running server replaces files such as pg_internal.init at any time: files that vanished are ignored. */
function filesOfOthers(path: string, uid: number): string[] {
  return filesBelow(path).filter((each) => (lstatSync(each, { throwIfNoEntry: false })?.uid ?? uid) !== uid);
}

/** Changes the owner of a tree to that of an earlier version. */
function giveToNobody(path: string): void {
  for (const each of [...filesBelow(path), path]) chownSync(each, nobodyId(), nobodyId());
}

describe('configuration files in the folder of a database', () => {
  it('are not read: a planted command is not run, a planted library not loaded', async () => {
    const ran = join(folder, 'ran');
    const planted = [
      "archive_mode = 'on'",
      "wal_level = 'replica'",
      `archive_command = 'touch ${ran}'`,
      "shared_preload_libraries = '/nonexistent/evil'",
      "session_preload_libraries = '/nonexistent/evil'",
      `external_pid_file = '${ran}'`,
    ].join('\n');
    for (const name of ['postgresql.conf', 'postgresql.auto.conf'])
      appendFileSync(join(clusterFolder(cluster), name), `\n${planted}\n`);
    writeFileSync(join(clusterFolder(cluster), 'pg_hba.conf'), 'local all all trust\n');
    const db = await openDatabase({ dataFolder: folder });
    try {
      const unsafe = await one(
        db,
        `select string_agg(name, ',') as names from pg_settings
         where name in ('archive_command', 'shared_preload_libraries', 'session_preload_libraries', 'external_pid_file')
           and setting not in ('', '(disabled)')`,
      );
      expect(unsafe).toEqual({ names: null });
      expect(await one(db, 'select auth_method from pg_hba_file_rules')).toEqual({
        auth_method: 'scram-sha-256',
      });
    } finally {
      await db.close();
    }
    expect(existsSync(ran)).toBe(false);
  });

  it('are replaced also when they are links, and where these lead is not written', () => {
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'kept');
    const file = join(clusterFolder(cluster), 'pg_hba.conf');
    rmSync(file);
    symlinkSync(elsewhere, file);
    prepareFiles(cluster, null);
    expect(lstatSync(file).isFile()).toBe(true);
    expect(statSync(elsewhere).size).toBe(4);
  });
});

describe('the folder of a database', () => {
  it('that is a link is refused', async () => {
    renameSync(cluster.home, join(folder, 'moved'));
    symlinkSync(join(folder, 'moved'), cluster.home);
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining('is a link or a file'),
    });
  });

  it('that other users can change is refused', async () => {
    chmodSync(cluster.home, 0o777);
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining('can be changed by other users'),
      hint: expect.stringContaining('--data'),
    });
  });

  it.runIf(root)('of another user is refused, and no server is started for it (needs root)', async () => {
    chownSync(cluster.home, 12_345, 12_345);
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
      kind: 'permission',
      message: expect.stringContaining('belongs to another user (12345)'),
    });
    expect(serverPid(cluster)).toBeNull();
  });

  it('is found by a file that others can neither write nor exchange', async () => {
    const pointer = join(folder, 'postgres.json');
    chmodSync(pointer, 0o666);
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({ kind: 'permission' });
    chmodSync(pointer, 0o600);
    renameSync(pointer, join(folder, 'other.json'));
    symlinkSync('other.json', pointer);
    await expect(startEmbeddedServer(folder)).rejects.toMatchObject({
      message: expect.stringContaining('is a symbolic link'),
    });
  });
});

describe('the account of a server that root starts', () => {
  it.runIf(root)(
    'is a number of its own, to which all files belong and no one else has access (needs root)',
    async () => {
      const server = await startEmbeddedServer(folder);
      const { uid } = statSync(cluster.home);
      expect(isDedicated(uid)).toBe(true);
      expect(statSync(`/proc/${serverPid(cluster)}`).uid).toBe(uid);
      expect(filesOfOthers(cluster.home, uid)).toEqual([]);
      expect(statSync(cluster.home).mode & 0o077).toBe(0);
      await server.close();
    },
  );

  it.runIf(root)('takes over a database that an earlier version gave to nobody (needs root)', async () => {
    giveToNobody(cluster.home);
    const server = await startEmbeddedServer(folder);
    const { uid } = statSync(cluster.home);
    expect(isDedicated(uid)).toBe(true);
    expect(filesOfOthers(cluster.home, uid)).toEqual([]);
    await server.close();
  });

  it.runIf(root)('is not reported as another user while a takeover is in progress (needs root)', () => {
    mkdirSync(cluster.socket, { recursive: true, mode: 0o700 });
    const inProgress = (home: number, socket: number) => {
      chownSync(cluster.home, home, home);
      chownSync(cluster.socket, socket, socket);
      return isSocketFolderOurs(cluster);
    };
    expect(inProgress(0, 2_010_000_001)).toBe(false);
    expect(inProgress(2_010_000_001, 2_010_000_001)).toBe(true);
    expect(() => inProgress(2_010_000_001, 2_010_000_002)).toThrow('made by another user');
    expect(() => inProgress(0, 12_345)).toThrow('made by another user');
  });

  it.runIf(root)('continues a takeover that was interrupted (needs root)', async () => {
    giveToNobody(cluster.home);
    chownSync(cluster.home, 0, 0);
    await (await startEmbeddedServer(folder)).close();
    expect(statSync(join(clusterFolder(cluster), 'PG_VERSION')).uid).toBe(statSync(cluster.home).uid);
  });

  it.runIf(root)('gets no file that a link leads to, nor one of a third user (needs root)', () => {
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), '');
    symlinkSync(outside, join(cluster.home, 'link'));
    writeFileSync(join(cluster.home, 'third'), '');
    chownSync(join(cluster.home, 'third'), 12_345, 12_345);
    chownSync(cluster.home, nobodyId(), nobodyId());
    chownTree(cluster.home, { uid: 2_010_000_001, gid: 2_010_000_001 });
    expect(statSync(outside).uid).toBe(0);
    expect(statSync(join(outside, 'file')).uid).toBe(0);
    expect(statSync(join(cluster.home, 'third')).uid).toBe(12_345);
    expect(lstatSync(join(cluster.home, 'link')).uid).toBe(2_010_000_001);
  });
});
