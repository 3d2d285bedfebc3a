/**
 * The shared rate limit seen from the provider's side: 32 processes against a server that counts for itself. Then what the
 * limiter costs, and how exactly a budget is kept. This file is also the worker process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Agent, createServer, get, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, SeineError } from '../../src/base/errors.ts';
import type { Database } from '../../src/db/database.ts';
import { startEmbeddedServer } from '../../src/db/embedded/start.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { readBudget, setBudget } from '../../src/engine/budget/budget-store.ts';
import { openLocalBudget } from '../../src/engine/budget/local-budget.ts';
import { createRequestGate } from '../../src/engine/budget/request-gate.ts';
import { createLeaseGroup } from '../../src/engine/leases/lease-group-store.ts';
import { createLimiter } from '../../src/engine/limits/limiter.ts';
import { createRate } from '../../src/engine/limits/rates.ts';
import { startRedis, whyNoRedis } from '../../test/support/servers/redis.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { count, table } from '../figures.ts';

const WORKERS = 32;
const RATE = createRate(500);
const AT_ONCE = 4; // requests of one worker
const BUDGET = { requests: 20_000, bytes: 2e9 };

/** What a worker process is to do. */
interface WorkerTask {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly quota: string;
  readonly perSecond: number;
  /** Null: nothing is sent. */
  readonly provider: string | null;
  readonly work: number | null;
  readonly requests: number;
}

interface Done {
  readonly requests: number;
  /** Questions to Redis or PostgreSQL. */
  readonly questions: number;
  readonly microseconds: number;
  /** How often it could not ask for so long that it said so. */
  readonly outageLogs: number;
}

export const limits: Benchmark = {
  name: 'limits',
  about: `${WORKERS} processes share ${RATE.perSecond} requests/s, counted by the provider; cost of the limiter; budgets`,
  async run(bench) {
    const folder = join(bench.folder, 'data-limits');
    mkdirSync(folder, { recursive: true });
    const embedded = await startEmbeddedServer(folder);
    const db = await openDatabase({ databaseUrl: embedded.connectionString, max: 2 });
    const missing = await whyNoRedis();
    const redis = missing ? null : await startRedis();
    try {
      await migrate(db);
      if (missing) bench.log(`  Redis is left out: ${missing}`);
      const keepers = [
        { name: 'PostgreSQL', redisUrl: null },
        ...(redis ? [{ name: 'Redis', redisUrl: redis.url }] : []),
      ];
      for (const { name, redisUrl } of keepers)
        await shareRate(bench, name, { databaseUrl: embedded.connectionString, redisUrl });
      for (const { name, redisUrl } of keepers)
        await measureCost(bench, name, { databaseUrl: embedded.connectionString, redisUrl });
      await keepBudgets(bench, db, embedded.connectionString);
    } finally {
      await redis?.stop();
      await db.close();
      await embedded.close();
    }
  },
};

type LimiterStore = Pick<WorkerTask, 'databaseUrl' | 'redisUrl'>;

async function shareRate(bench: Bench, name: string, limiterStore: LimiterStore): Promise<void> {
  const seconds = scaled(bench, 20, 5);
  const provider = await startProvider();
  const errand = { ...limiterStore, quota: `bench:${name}`, perSecond: RATE.perSecond, work: null };
  const crowd = await startWorkers(WORKERS, {
    ...errand,
    provider: provider.url,
    requests: Number.POSITIVE_INFINITY,
  });
  await sleep(seconds * 1000);
  const done = await stopWorkers(crowd);
  await provider.stop();
  reportShare(bench, name, provider.arrivals, done);
}

function reportShare(bench: Bench, name: string, arrivals: readonly number[], done: readonly Done[]): void {
  const max = maxInOneSecond(arrivals);
  const perThousand = (1000 * total(done, 'questions')) / arrivals.length;
  bench.log(`  ${name}: what the provider counted, second by second: ${perSecond(arrivals).join(' ')}`);
  bench.log(`    most in any window of 1 s: ${max}, of ${RATE.perSecond} + ${RATE.burst}`);
  bench.log(`    questions to ${name}: ${perThousand.toFixed(0)} for 1,000 requests`);
  const outageLogs = total(done, 'outageLogs');
  if (outageLogs > 0) bench.log(`    ${outageLogs} messages that ${name} is unreachable, or reachable again`);
  bench.check(max <= RATE.perSecond + RATE.burst, `${name}: ${WORKERS} workers never exceed the rate`);
}

function total(done: readonly Done[], figure: keyof Done): number {
  return done.reduce((sum, each) => sum + each[figure], 0);
}

/** No requests are sent and none has to wait, so that only the limiter is measured. */
async function measureCost(bench: Bench, name: string, limiterStore: LimiterStore): Promise<void> {
  const requests = scaled(bench, 200_000, 20_000);
  const rows = [['', 'µs a request', 'questions for 1,000 requests']];
  for (const workers of [1, 4]) {
    const errand = {
      ...limiterStore,
      quota: `cost:${name}${workers}`,
      perSecond: 1e8,
      provider: null,
      work: null,
      requests,
    };
    const done = await stopWorkers(await startWorkers(workers, errand), true);
    const all = total(done, 'requests');
    const micros = total(done, 'microseconds') / all;
    rows.push([
      `${name}, ${workers} workers`,
      micros.toFixed(2),
      ((1000 * total(done, 'questions')) / all).toFixed(2),
    ]);
  }
  bench.log(table(rows));
}

async function keepBudgets(bench: Bench, db: Database, databaseUrl: string): Promise<void> {
  const rows = [['budget of 20,000 requests', 'sent', 'over', 'left', 'counted', 'statements for 1,000']];
  for (const workers of [1, 8, 32]) {
    const work = await db.tx(async (tx) => {
      const id = await createLeaseGroup(tx, { tenant: 'default', kind: 'bench', priority: 0 });
      await setBudget(tx, id, BUDGET);
      return id;
    });
    const errand = { databaseUrl, redisUrl: null, quota: '', perSecond: 0, provider: null, work };
    const crowd = await startWorkers(workers, { ...errand, requests: Number.POSITIVE_INFINITY });
    const done = await stopWorkers(crowd, true);
    const sent = total(done, 'requests');
    const perThousand = (1000 * total(done, 'questions')) / sent;
    const { used } = (await readBudget(db, work))!;
    const over = Math.max(0, sent - BUDGET.requests);
    const figures = [sent, over, Math.max(0, BUDGET.requests - sent), used.requests].map(count);
    rows.push([`${workers} workers`, ...figures, perThousand.toFixed(1)]);
    bench.check(over <= workers, `${workers} workers: at most one request each over the budget`);
    bench.check(used.requests === sent, `${workers} workers: what is counted is what was sent`);
  }
  bench.log(table(rows));
}

interface Provider {
  readonly url: string;
  /** The time of each request in milliseconds. */
  readonly arrivals: number[];
  stop(): Promise<void>;
}

async function startProvider(): Promise<Provider> {
  const arrivals: number[] = [];
  const server: Server = createServer((_request, response) => {
    arrivals.push(performance.now());
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}/`,
    arrivals,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function maxInOneSecond(arrivals: readonly number[]): number {
  let [most, first] = [0, 0];
  for (const [last, at] of arrivals.entries()) {
    while (arrivals[first]! <= at - 1000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

function perSecond(arrivals: readonly number[]): number[] {
  const counts: number[] = [];
  for (const at of arrivals) {
    const second = Math.floor((at - arrivals[0]!) / 1000);
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return Array.from(counts, (n) => n ?? 0);
}

/** All are ready before the first starts. */
async function startWorkers(n: number, errand: WorkerTask): Promise<ChildProcess[]> {
  const crowd = Array.from({ length: n }, () =>
    fork(import.meta.filename, [], { serialization: 'advanced' }),
  );
  await Promise.all(crowd.map((child) => sendTask(child, errand)));
  for (const child of crowd) child.send('go');
  return crowd;
}

async function stopWorkers(crowd: readonly ChildProcess[], byThemselves = false): Promise<Done[]> {
  const answers = crowd.map((child) => once(child, 'message') as Promise<[Done]>);
  const exits = crowd.map((child) => once(child, 'exit'));
  if (!byThemselves) for (const child of crowd) child.send('stop');
  const done = (await Promise.all(answers)).map(([each]) => each);
  await Promise.all(exits);
  return done;
}

async function sendTask(child: ChildProcess, errand: WorkerTask): Promise<void> {
  const ready = once(child, 'message');
  child.send(errand);
  await ready;
}

async function beWorker(): Promise<void> {
  const [errand] = (await once(process, 'message')) as [WorkerTask];
  let outageLogs = 0;
  const db = counted(await openDatabase({ databaseUrl: errand.databaseUrl, max: 1 }));
  const limiter = createLimiter({
    db,
    redisUrl: errand.redisUrl ?? undefined,
    rates: { [errand.quota]: createRate(errand.perSecond || 1) },
    workers: () => WORKERS,
    log: () => void outageLogs++,
  });
  const budget = errand.work === null ? null : await openLocalBudget(db, errand.work);
  const gate = createRequestGate({ limiter, budget, quota: errand.quota || undefined });
  await db.query('select 1');
  process.send!('ready');
  await once(process, 'message');
  const stop = new AbortController();
  process.once('message', () => stop.abort());
  const began = performance.now();
  let requests = 0;
  const send = async () => {
    while (requests < errand.requests) {
      await gate.admit('read', 10_000, stop.signal);
      requests++;
      if (errand.provider !== null) await request(errand.provider);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, send));
  for (const end of ends) {
    const expected = end.status === 'fulfilled' || stop.signal.aborted || isExhausted(end.reason);
    if (!expected) process.stderr.write(`A worker failed: ${messageOf(end.reason)}\n`);
  }
  const microseconds = (performance.now() - began) * 1000;
  await budget?.close();
  const questions = limiter.stats()[0]?.bucketRequests ?? db.statements();
  await limiter.close();
  await db.close();
  process.send!({ requests, questions, microseconds, outageLogs } satisfies Done);
  process.disconnect();
}

function isExhausted(error: unknown): boolean {
  return error instanceof SeineError && error.kind === 'limit';
}

const agent = new Agent({ keepAlive: true });

function request(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
}

function counted(db: Database): Database & { statements(): number } {
  let statements = 0;
  return {
    ...db,
    query: (sql, params) => {
      statements++;
      return db.query(sql, params);
    },
    statements: () => statements,
  };
}

if (import.meta.main) await beWorker(); // last: what it needs is defined by then
