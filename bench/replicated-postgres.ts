/**
 * A primary and a standby that follows it asynchronously, at one address. When the primary is lost the standby takes its
 * place, without what had not reached it: transactions whose commit was acknowledged to the client.
 *
 * The base backup is taken by PostgreSQL's own functions around a copy of the data folder, as pg_basebackup does it: that
 * program does not come with the embedded server.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Postgres, startPostgres } from './postgres.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface Loss {
  readonly bytes: number;
  readonly transactions: number;
  readonly claims: number;
  readonly checkpoints: number;
}

export interface ReplicatedPostgres extends Postgres {
  /** A new standby of the server that is the primary now. It has everything when this resolves. */
  addStandby(): Promise<void>;
  /** The primary continues to commit, and stops replicating to the standby. */
  stallReplication(): void;
  /** One more address of the current primary, which may switch later than the others. */
  addAddress(): Promise<string>;
  /**
   * The primary is killed, its folder removed, and the standby promoted. The address is unreachable for `awayMs` at least; the other
   * addresses follow after `lateMs()` each.
   */
  failOver(awayMs: number, lateMs: () => number): Promise<Loss>;
}

const WAIT_TIMEOUT_MS = 60_000;
const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '10',
  wal_keep_size: '1GB',
  synchronous_commit: 'on',
};

export async function startReplicatedPostgres(folder: string): Promise<ReplicatedPostgres> {
  let serial = 0;
  const place = () => join(folder, `server-${++serial}`);
  let primary = await startPostgres(place(), { settings: SETTINGS });
  let standby: Postgres | null = null;
  const clients = await startTcpProxy(primary.socket);
  const replication = await startTcpProxy(primary.socket);
  const others: TcpProxy[] = [];

  async function addStandby(): Promise<void> {
    replication.leadTo(primary.socket);
    replication.flow();
    const source = { ...SETTINGS, primary_conninfo: `host=127.0.0.1 port=${replication.port} user=seine` };
    const backup = await startBackup(primary.url);
    standby = await startPostgres(place(), {
      settings: source,
      copyInto: (data) => copyData(primary.data, data),
      beforeStart: async (data) => putFile(data, 'backup_label', await backup.stop()),
    });
    await caughtUp(primary.url, standby.url);
  }

  async function addAddress(): Promise<string> {
    const proxy = await startTcpProxy(primary.socket);
    others.push(proxy);
    return urlOf(proxy);
  }

  async function failOver(awayMs: number, lateMs: () => number): Promise<Loss> {
    if (standby === null) throw new Error('There is no standby.');
    const [lost, heir] = [primary, standby];
    const before = await positionOf(lost.url);
    await lost.kill();
    for (const proxy of [clients, replication, ...others]) proxy.leadTo(null);
    await lost.stop();
    rmSync(dirname(lost.data), { recursive: true, force: true });
    const away = sleep(awayMs);
    const after = await promote(heir.url);
    await away;
    [primary, standby] = [heir, null];
    clients.leadTo(heir.socket);
    for (const proxy of others) setTimeout(() => proxy.leadTo(heir.socket), lateMs());
    return lossBetween(before, after);
  }

  return {
    url: urlOf(clients),
    get data() {
      return primary.data;
    },
    get socket() {
      return primary.socket;
    },
    about: `${primary.about}; a standby, replicated asynchronously`,
    cpuSeconds: () => primary.cpuSeconds(),
    kill: () => primary.kill(),
    start: () => primary.start(),
    addStandby,
    addAddress,
    stallReplication: () => replication.stall(),
    failOver,
    async stop() {
      await Promise.all([clients, replication, ...others].map((proxy) => proxy.close()));
      await standby?.stop();
      await primary.stop();
    },
  };
}

function urlOf({ port }: TcpProxy): string {
  return `postgres://seine@127.0.0.1:${port}/postgres`;
}

interface Position {
  readonly lsn: string;
  readonly xid: string;
  readonly claims: string;
  readonly checkpoints: string;
}

const POSITION = `pg_snapshot_xmax(pg_current_snapshot())::text as xid,
  (select coalesce(sum(fencing_token), 0) from seine.range_lease)::text as claims,
  (select coalesce(sum(checkpoint_seq), 0) from seine.range_lease)::text as checkpoints`;

function positionOf(url: string): Promise<Position> {
  return ask<Position>(url, `select pg_current_wal_lsn()::text as lsn, ${POSITION}`);
}

/** Where it stood before it wrote anything of its own. */
async function promote(url: string): Promise<Position> {
  const { lsn } = await ask<{ lsn: string }>(url, 'select pg_last_wal_receive_lsn()::text as lsn');
  const { done } = await ask<{ done: boolean }>(url, 'select pg_promote(true, 60) as done');
  if (!done) throw new Error('The standby could not be promoted.');
  return { ...(await ask<Omit<Position, 'lsn'>>(url, `select ${POSITION}`)), lsn };
}

function lossBetween(before: Position, after: Position): Loss {
  const less = (of: 'claims' | 'checkpoints') => Number(before[of]) - Number(after[of]);
  return {
    bytes: Number(bytesOf(before.lsn) - bytesOf(after.lsn)),
    transactions: Number(BigInt(before.xid) - BigInt(after.xid)),
    claims: less('claims'),
    checkpoints: less('checkpoints'),
  };
}

function bytesOf(lsn: string): bigint {
  const [high, low] = lsn.split('/');
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`);
}

/** The session that starts a backup must end it. */
async function startBackup(url: string): Promise<{ stop(): Promise<string> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`select pg_backup_start('standby', fast => true)`);
  return {
    async stop() {
      const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
      await client.end();
      return rows[0].labelfile as string;
    },
  };
}

/** With owners and rights. What belongs to the running server alone stays behind. */
function copyData(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The data folder could not be copied: ${stderr}`);
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, name), { force: true });
  putFile(to, 'standby.signal', '');
}

/** The server's account owns its files, this process may be another one. */
function putFile(data: string, name: string, text: string): void {
  const { uid, gid } = statSync(data);
  writeFileSync(join(data, name), text);
  chownSync(join(data, name), uid, gid);
}

async function caughtUp(primary: string, standby: string): Promise<void> {
  const { lsn } = await ask<{ lsn: string }>(primary, 'select pg_current_wal_lsn()::text as lsn');
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
    const sql = 'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as there';
    if ((await ask<{ there: boolean }>(standby, sql, [lsn])).there) return;
  }
  throw new Error(`The standby has not reached ${lsn} of its primary.`);
}

async function ask<Row>(url: string, sql: string, values: readonly unknown[] = []): Promise<Row> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows[0] as Row;
  } finally {
    await client.end();
  }
}
