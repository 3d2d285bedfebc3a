/**
 * A real S3 server for tests: the RADOS Gateway of Ceph on a monitor and one object store in memory, all of it
 * private to a temporary folder. It takes some seconds to start, so a whole run of tests shares one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { reportMissing } from '../missing.ts';
import { startWatchdog } from '../watchdog.ts';
import { ensurePackages } from './apt.ts';

export interface Rgw {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

const USER = { accessKeyId: 'SEINETESTKEY', secretAccessKey: 'seine-test-secret' };
const START_SECONDS = 90;

/** Why there is no such server here; null when it can be started. */
export async function whyNoRgw(): Promise<string | null> {
  return reportMissing('S3 (Ceph)', await whyNoCeph());
}

async function whyNoCeph(): Promise<string | null> {
  if (process.platform !== 'linux') return 'Ceph runs on Linux only.';
  if (process.getuid?.() !== 0) return 'Only root can start a Ceph cluster for tests.';
  return ensurePackages(['ceph-mon', 'ceph-osd', 'ceph-common', 'radosgw']);
}

export async function startRgw(): Promise<Rgw> {
  const folder = mkdtempSync(join(tmpdir(), 'seine-rgw-'));
  const watchdog = startWatchdog(folder);
  try {
    const cluster = new Cluster(folder, watchdog.watch);
    const endpoint = await cluster.start();
    return { endpoint, ...USER, stop: watchdog.stop };
  } catch (error) {
    await watchdog.stop();
    throw error;
  }
}

class Cluster {
  readonly #folder: string;
  readonly #watch: (pid: number) => void;
  readonly #config: string;

  constructor(folder: string, watch: (pid: number) => void) {
    this.#folder = folder;
    this.#watch = watch;
    this.#config = join(folder, 'ceph.conf');
  }

  async start(): Promise<string> {
    const [v2, v1, http] = await freePorts(3);
    const monitors = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
    const [cluster, osd] = [randomUUID(), randomUUID()];
    for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(this.#folder, name));
    writeFileSync(this.#config, configuration(this.#folder, cluster, monitors));
    this.#makeKeys();
    this.#run('monmaptool', '--create', '--addv', 'a', monitors, '--fsid', cluster, this.#at('monmap'));
    this.#run(
      'ceph-mon',
      '--mkfs',
      '-i',
      'a',
      '--monmap',
      this.#at('monmap'),
      '--keyring',
      this.#at('keyring'),
    );
    this.#serve('ceph-mon', '-i', 'a');
    this.#run('ceph', 'osd', 'new', osd);
    this.#run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    this.#serve('ceph-osd', '-i', '0');
    this.#makeUser();
    // Without nodelay every answer takes 40 ms.
    this.#serve(
      'radosgw',
      '-n',
      'client.rgw',
      '--rgw-frontends',
      `beast endpoint=127.0.0.1:${http} tcp_nodelay=1`,
    );
    return this.#answering(`http://127.0.0.1:${http}`);
  }

  /** All keys are known from the first moment, so none has to be brought in later. */
  #makeKeys(): void {
    const keyring = this.#at('keyring');
    const owners: [string, ...string[]][] = [
      ['mon.', 'mon', 'allow *'],
      ['client.admin', 'mon', 'allow *', 'osd', 'allow *', 'mgr', 'allow *'],
      ['client.rgw', 'mon', 'allow rw', 'osd', 'allow rwx'],
      ['osd.0', 'mon', 'allow profile osd', 'osd', 'allow *'],
    ];
    this.#run('ceph-authtool', '--create-keyring', keyring);
    for (const [name, ...rights] of owners) {
      const caps = rights.flatMap((word, i) => (i % 2 === 0 ? ['--cap', word] : [word]));
      this.#run('ceph-authtool', keyring, '--gen-key', '-n', name, ...caps);
    }
  }

  #makeUser(): void {
    const { accessKeyId, secretAccessKey } = USER;
    const keys = [`--access-key=${accessKeyId}`, `--secret=${secretAccessKey}`];
    this.#run('radosgw-admin', 'user', 'create', '--uid=test', '--display-name=test', ...keys);
  }

  async #answering(endpoint: string): Promise<string> {
    for (const deadline = Date.now() + START_SECONDS * 1000; Date.now() < deadline; await pause(50)) {
      const answer = await fetch(endpoint).catch(() => null);
      if (answer?.ok) return endpoint;
    }
    throw new Error(`The S3 server does not answer.\n${this.#lastWords('radosgw')}`);
  }

  #run(command: string, ...args: string[]): void {
    const conf = command === 'ceph-authtool' || command === 'monmaptool' ? [] : ['-c', this.#config];
    const { status, stderr } = spawnSync(command, [...conf, ...args], {
      encoding: 'utf8',
      timeout: START_SECONDS * 1000,
    });
    if (status !== 0) throw new Error(`${command} failed (${status}): ${stderr}`);
  }

  /** In the foreground, in its own process group: it gets no signals meant for the tests, and its id is known. */
  #serve(command: string, ...args: string[]): void {
    const log = openSync(this.#at(`${command}.out`), 'w');
    const child = spawn(command, ['-f', '-c', this.#config, ...args], {
      stdio: ['ignore', log, log],
      detached: true,
    });
    child.on('error', () => {}).unref();
    if (child.pid !== undefined) this.#watch(child.pid);
  }

  #lastWords(command: string): string {
    return readFileSync(this.#at(`${command}.out`), 'utf8').slice(-2000);
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }
}

/** The least that makes a cluster of one: everything in memory, no second copy, few placement groups. */
function configuration(folder: string, cluster: string, monitors: string): string {
  return `[global]
fsid = ${cluster}
mon host = ${monitors}
mon initial members = a
public addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd objectstore = memstore
memstore device bytes = 4294967296
osd pool default size = 1
osd pool default min size = 1
osd crush chooseleaf type = 0
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 1
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}/rgw
keyring = ${folder}/keyring
run dir = ${folder}
log file = ${folder}/$name.log
admin socket = ${folder}/$name.$pid.asok
rgw enable ops log = false
rgw enable usage log = false
rgw thread pool size = 64
paxos propose interval = 0.05
`;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listening));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listening(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
