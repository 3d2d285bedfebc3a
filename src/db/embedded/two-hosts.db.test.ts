/**
 * Several containers or hosts on one data folder, with real processes: each "container" has its own process ids, host name and mounts;
 * a "host" also has its own boot id, and does not reach the sockets of the others.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/database.ts';
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
/** As root, and not in a chroot: there mounts can't be kept apart. server-lock.db.test.ts has the same cases with records alone. */
const canIsolate = spawnSync('unshare', [...NAMESPACES, 'hostname', 'one']).status === 0;
/** Longer than any test waits: whoever waits for it fails. */
const NEVER = '600,600';
const SOON = '2,1';

describe.runIf(canIsolate)('a data folder that two containers share', () => {
  it('never gets a second server, also when their sockets are in different places', async () => {
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
  it('is refused to the second, which is told the name of the first and what to do', async () => {
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

  it('loses the server of a host that comes back after it was stopped, which leaves its successor alone', async () => {
    const first = await host('one', mounted('one'));
    const [old] = postmasters();
    const stopped = first.processes();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const second = await host('two', mounted('two'), { takeover: SOON });
    expect(second.said).toBe('here');
    const lockFile = readFileSync(join(home(), 'data/postmaster.pid'), 'utf8');
    for (const pid of stopped) goOn(pid);
    await until('the server of the first is gone', () => !postmasters().includes(old!));
    expect(postmasters()).toHaveLength(1);
    expect(readFileSync(join(home(), 'data/postmaster.pid'), 'utf8')).toBe(lockFile);
  });
});

/** Another mount of the same folder, with a path short enough for a socket. */
function mounted(name: string): string {
  const place = join(base, name);
  mkdirSync(place, { mode: 0o711 });
  return place;
}

/** A process that uses the server, in a container of its own, until it is ended. */
class Visitor {
  said = '';
  readonly child: ChildProcess;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
  }

  /** Of the container: all that have its first process among their ancestors, or were left to it. */
  processes(): number[] {
    const space = readlinkSync(`/proc/${this.#init()}/ns/pid`);
    return processesOf((_, pid) => readlinkSync(`/proc/${pid}/ns/pid`) === space);
  }

  /** Everything in the container is killed, as when it is removed. */
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
  /** Until it has something to say. */
  readonly waits?: boolean;
}

/** Has a boot id of its own, and reaches no socket of the others. */
function host(name: string, place: string, conditions: Conditions = {}): Promise<Visitor> {
  const boot = join(base, `boot-${randomUUID()}`);
  writeFileSync(boot, `${randomUUID()}\n`);
  return container(name, place, conditions, [
    `mount --bind ${boot} /proc/sys/kernel/random/boot_id`,
    `if [ -d ${place}/postgres ]; then mount -t tmpfs -o mode=700,uid=$(stat -c %u ${place}/postgres) none ${place}/postgres/socket; fi`,
  ]);
}

async function container(
  name: string,
  place: string,
  { takeover = NEVER, idleStop = '60', waits = true }: Conditions = {},
  setUp: readonly string[] = [],
): Promise<Visitor> {
  const script = `import { startEmbedded } from '${import.meta.dirname}/start.ts';
    process.stdout.write(await startEmbedded(process.argv[1]).then(() => 'here', (error) => error.message + ' ' + error.hint));
    setInterval(() => {}, 1000);`;
  const commands = [
    `hostname ${name}`,
    ...(place === folder ? [] : [`mount --bind ${folder} ${place}`]),
    ...setUp,
    `${process.execPath} --input-type=module -e "$1" ${place}`,
    'sleep infinity', // the container outlives its visitor
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

/** As if its last heartbeat lay before the boot of this machine, and its server had been settled. */
function rewind(): void {
  const record = JSON.parse(readFileSync(lockFile(), 'utf8'));
  writeFileSync(lockFile(), JSON.stringify({ ...record, state: 'held', beatAt: 0 }));
}

/** Servers of the cluster, in whatever container: all of them are processes of this machine. */
function postmasters(): number[] {
  return processesOf((words) => words[1] === '-D' && words[2]!.startsWith(base));
}

function isVisitor(pid: number): boolean {
  return processesOf((words) => words.includes('--input-type=module')).includes(pid);
}

function processesOf(wanted: (words: string[], pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return wanted(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'), pid);
      } catch {
        return false;
      }
    });
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await sleep(20);
  }
}

/** If it is still there: helpers of the server may have ended by themselves. */
function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
