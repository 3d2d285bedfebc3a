/**
 * Several containers or hosts on one data folder, with real processes: each "container" has its own process
 * ids, host name and mounts; a "host" also has its own boot id, and can't reach the sockets of the others.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/database.ts';
import { reportMissing } from '../../../test/support/missing.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { codeOf } from '../../base/errors.ts';

const DEADLINE_MS = 60_000;
let base: string;
let folder: string;
let running: Visitor[] = [];
beforeEach(() => {
  base = temporaryFolder();
  folder = join(base, 'd'.repeat(90)); // too long for a socket
  mkdirSync(folder, { mode: 0o711 });
});
afterEach(async () => {
  for (const visitor of running) await visitor.end();
  running = [];
  await until('all servers have ended', () => postmasters().length === 0);
  rmSync(base, { recursive: true, force: true });
});

const NAMESPACES = ['--pid', '--fork', '--mount-proc', '--uts', '--ipc'];
/**
 * As root, and not in a chroot: there mounts can't be isolated. server-lock.db.test.ts has the same cases
 * with records alone.
 */
const canIsolate = spawnSync('unshare', [...NAMESPACES, 'hostname', 'one']).status === 0;
reportMissing('namespaces', canIsolate ? null : 'They are not permitted here.', { isOptional: true });
/** Longer than any test waits: a test that depends on it fails. */
const NEVER = '600,600';
const SOON = '2,1';

describe.runIf(canIsolate)('a data folder that two containers share', () => {
  it('never gets a second server, also when their sockets are in different folders', async () => {
    const first = await container('one', folder);
    expect(first.said).toBe('here');
    const second = await container('two', mounted('two'));
    expect(postmasters()).toHaveLength(1);
    expect(second.said).toBe('here');
  });

  it('is refused to one that cannot reach the socket of the other, with a way out', async () => {
    await container('one', mounted('one'));
    const second = await container('two', folder);
    expect(second.said).toMatch(
      /in use in another container of this machine \(one\).*shorter path.*DATABASE_URL/,
    );
    expect(postmasters()).toHaveLength(1);
  });

  it('is taken over at once when the other is removed with everything in it', async () => {
    const first = await container('one', folder);
    await first.end();
    const second = await container('two', mounted('two'));
    expect(second.said).toBe('here');
  });
});

describe.runIf(canIsolate)('a data folder that two hosts share', () => {
  it('is rejected for the second, with the name of the first and advice', async () => {
    await host('one', mounted('one'));
    const second = await host('two', mounted('two'));
    expect(second.said).toMatch(
      /in use on another host: one \(process \d+\).*Stop Seine there.*DATABASE_URL.*--data/,
    );
    expect(postmasters()).toHaveLength(1);
  });

  it('is taken over at once after the first has stopped its server', async () => {
    const first = await host('one', mounted('one'), { idleStop: '0.2' });
    for (const pid of first.processes().filter((each) => isVisitor(each))) process.kill(pid, 'SIGKILL');
    await until('the server of the first has stopped', () => postmasters().length === 0);
    const second = await host('two', mounted('two'));
    expect(second.said).toBe('here');
  });

  it('is taken over when the heartbeat of the first has stopped for long enough', async () => {
    const first = await host('one', mounted('one'));
    await first.end();
    const second = await host('two', mounted('two'), { takeover: SOON });
    expect(second.said).toBe('here');
  });

  it('is taken over at once by a host that has booted since, and not by one of the same name that has not', async () => {
    const first = await host('one', mounted('one'));
    await first.end();
    const clone = await host('one', mounted('two'), { takeover: '0.5,600', waits: false });
    expect(clone.said).toBe('');
    await until('the clone waits for the server to end', () => lockState() === 'fencing');
    await clone.end();
    rewind();
    const again = await host('one', mounted('three'));
    expect(again.said).toBe('here');
  });

  it('ends the server of a host that resumes after it was suspended, without affecting its successor', async () => {
    const first = await host('one', mounted('one'));
    const [old] = postmasters();
    const stopped = first.processes();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const second = await host('two', mounted('two'), { takeover: SOON });
    expect(second.said).toBe('here');
    const lockFile = readFileSync(join(home(), 'data/postmaster.pid'), 'utf8');
    for (const pid of stopped) resume(pid);
    await until('the server of the first is gone', () => !postmasters().includes(old!));
    expect(postmasters()).toHaveLength(1);
    expect(readFileSync(join(home(), 'data/postmaster.pid'), 'utf8')).toBe(lockFile);
  });
});

/** Another mount of the same folder, with a path short enough for a socket. */
function mounted(name: string): string {
  const path = join(base, name);
  mkdirSync(path, { mode: 0o711 });
  return path;
}

/** A process that uses the server, in its own container, until it is ended. */
class Visitor {
  said = '';
  readonly child: ChildProcess;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
  }

  /** All processes of the container: descendants of its first process, or orphans. */
  processes(): number[] {
    const space = readlinkSync(`/proc/${this.#init()}/ns/pid`);
    return processesOf((_, pid) => readlinkSync(`/proc/${pid}/ns/pid`) === space);
  }

  /** Kills everything in the container, as when it is removed. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    process.kill(this.#init(), 'SIGKILL');
    await ended;
  }

  #init(): number {
    return Number(readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/children`, 'utf8'));
  }
}

interface Conditions {
  readonly takeover?: string;
  readonly idleStop?: string;
  /** It waits until it has a result. */
  readonly waits?: boolean;
}

/** Has its own boot id, and can't reach the sockets of the others. */
function host(name: string, path: string, conditions: Conditions = {}): Promise<Visitor> {
  const boot = join(base, `boot-${randomUUID()}`);
  writeFileSync(boot, `${randomUUID()}\n`);
  return container(name, path, conditions, [
    `mount --bind ${boot} /proc/sys/kernel/random/boot_id`,
    `if [ -d ${path}/postgres ]; then mount -t tmpfs -o mode=700,uid=$(stat -c %u ${path}/postgres) none ${path}/postgres/socket; fi`,
  ]);
}

async function container(
  name: string,
  path: string,
  { takeover = NEVER, idleStop = '60', waits = true }: Conditions = {},
  setUp: readonly string[] = [],
): Promise<Visitor> {
  const script = `import { startEmbeddedServer } from '${import.meta.dirname}/start.ts';
    process.stdout.write(await startEmbeddedServer(process.argv[1]).then(() => 'here', (error) => error.message + ' ' + error.hint));
    setInterval(() => {}, 1000);`;
  const commands = [
    `hostname ${name}`,
    ...(path === folder ? [] : [`mount --bind ${folder} ${path}`]),
    ...setUp,
    `${process.execPath} --input-type=module -e "$1" ${path}`,
    'sleep infinity', // the container outlives its client
  ];
  const child = spawn('unshare', [...NAMESPACES, 'sh', '-c', commands.join('\n'), 'sh', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, SEINE_IDLE_STOP: idleStop, SEINE_TAKEOVER: takeover },
  });
  const visitor = new Visitor(child);
  running.push(visitor);
  if (waits) await until(`${name} has a server or an error`, () => visitor.said !== '');
  return visitor;
}

function home(): string {
  return join(folder, 'postgres');
}

function lockFile(): string {
  const files = readdirSync(join(home(), 'lock')).filter((name) => name.endsWith('.json'));
  const newest = Math.max(...files.map((name) => Number.parseInt(name, 10)));
  return join(home(), 'lock', `${newest}.json`);
}

function lockState(): string {
  return JSON.parse(readFileSync(lockFile(), 'utf8')).state;
}

/** As if its last heartbeat was before the boot of this machine, and its server had been handled. */
function rewind(): void {
  const record = JSON.parse(readFileSync(lockFile(), 'utf8'));
  writeFileSync(lockFile(), JSON.stringify({ ...record, state: 'held', beatAt: 0 }));
}

/** Servers of the cluster, in any container: all of them are processes of this machine. */
function postmasters(): number[] {
  return processesOf((words) => words[1] === '-D' && words[2]!.startsWith(base));
}

function isVisitor(pid: number): boolean {
  return processesOf((words) => words.includes('--input-type=module')).includes(pid);
}

function processesOf(matches: (words: string[], pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return matches(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'), pid);
      } catch {
        return false;
      }
    });
}

async function until(what: string, condition: () => boolean): Promise<void> {
  await waitUntil(what, condition, { forMs: DEADLINE_MS, everyMs: 20 });
}

/** Resumes it, if it is still there: processes of the server may have ended by themselves. */
function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
