/**
 * One scan by 1 to 16 workers from a bucket that is 50 ms away. One worker can't do more than its latency allows, so that what is
 * measured is how the work is shared, and not how many cores this machine has. Each size has a bucket of its own with the same number
 * of objects to a worker, so that beginning and end weigh the same in each.
 */
import { type FaultProxy, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { count, seconds, table } from '../figures.ts';
import { type MadeBucket, makeBucket, s3Environment, sharedRgw } from '../rgw.ts';
import { type ScanOutcome, scanOutcome } from '../scan-outcome.ts';
import { openSharedCluster, type SharedCluster } from '../shared-cluster.ts';

const WORKERS = [1, 2, 4, 8, 16];
const LATENCY_MS = 50;
/** One object at a time in a worker of one thread: at most 20 a second, and 320 for all 16. */
const READS_AT_ONCE = '1';
const ASKED = 0.9;
const OBJECTS_A_WORKER = 1000;

export const scaling: Benchmark = {
  name: 'scaling',
  about: `objects/s of a whole scan by ${WORKERS.join(', ')} workers, from a bucket ${LATENCY_MS} ms away`,
  async run(bench) {
    const rgw = await sharedRgw(bench);
    if (rgw === null) return;
    const proxy = await startFaultProxy(rgw.endpoint);
    const requests = countRequests(proxy);
    proxy.delay(LATENCY_MS);
    const env = { ...s3Environment(rgw, proxy.endpoint), SEINE_READS_AT_ONCE: READS_AT_ONCE };
    const cluster = await openSharedCluster(bench, 'scaling', { ...env, SEINE_LEASE_SECONDS: '15' });
    bench.log(
      `  each worker: --threads 1, SEINE_READS_AT_ONCE=${READS_AT_ONCE}; every request waits ${LATENCY_MS} ms`,
    );
    try {
      const runs: Run[] = [];
      for (const workers of WORKERS) {
        const objects = workers * scaled(bench, OBJECTS_A_WORKER, 100);
        const bucket = await makeBucket(bench, rgw, { objects, size: 2000, plantedRate: 0.005 });
        runs.push(await measure(bench, cluster, bucket, requests, workers));
        if (workers === 1) logLimit(bench, runs[0]!);
      }
      report(bench, runs);
    } finally {
      await cluster.close();
      await proxy.close();
    }
  },
};

interface Run {
  readonly workers: number;
  readonly objects: number;
  readonly rate: number;
  readonly outcome: ScanOutcome;
  readonly requests: Requests;
}

interface Requests {
  lists: number;
  gets: number;
  others: number;
}

/** All of them: the proxy itself remembers the last ones only. A rule that never applies sees every request. */
function countRequests(proxy: FaultProxy): Requests {
  const seen: Requests = { lists: 0, gets: 0, others: 0 };
  const match = ({ method, url }: { method: string; url: string }) => {
    if (method !== 'GET') seen.others++;
    else if (/[?&]list-type=/.test(url)) seen.lists++;
    else seen.gets++;
    return false;
  };
  proxy.inject({ kind: 'hang' }, { match });
  return seen;
}

async function measure(
  bench: Bench,
  cluster: SharedCluster,
  bucket: MadeBucket,
  requests: Requests,
  workers: number,
): Promise<Run> {
  await cluster.setWorkerCount(workers);
  Object.assign(requests, { lists: 0, gets: 0, others: 0 });
  const scan = await cluster.submit(bucket.target, ['--full']);
  const outcome = await scanOutcome(cluster.db, scan);
  const { objects } = bucket;
  const run = { workers, objects, rate: objects / outcome.seconds, outcome, requests: { ...requests } };
  bench.log(`  (${workers} workers: ${seconds(outcome.seconds)})`);
  return run;
}

function logLimit(bench: Bench, { rate }: Run): void {
  const max = (1000 / LATENCY_MS) * Number(READS_AT_ONCE);
  bench.log(`  one worker: ${rate.toFixed(1)} objects/s; the latency alone would allow ${max}`);
}

function report(bench: Bench, runs: readonly Run[]): void {
  const [first] = runs;
  const head = ['workers', 'objects', 'seconds', 'objects/s', 'efficiency', 'LIST', 'GET', 'other', 'shards'];
  const rows = runs.map(({ workers, objects, rate, outcome, requests: { lists, gets, others } }) => [
    `${workers}`,
    count(objects),
    outcome.seconds.toFixed(1),
    rate.toFixed(1),
    (rate / (workers * first!.rate)).toFixed(3),
    ...[lists, gets, others, outcome.shards].map(count),
  ]);
  bench.log(table([head, ...rows]));
  const last = runs.at(-1)!;
  const efficiency = last.rate / (last.workers * first!.rate);
  const reached = efficiency >= ASKED ? 'reached' : 'FALLS SHORT';
  bench.log(
    `  efficiency at ${last.workers} workers: required at least ${ASKED}, measured ${efficiency.toFixed(3)}: ${reached}`,
  );
  for (const { workers, objects, outcome } of runs) {
    const whole = outcome.status === 'completed' && outcome.listed === objects;
    bench.check(
      whole && outcome.ledgered === outcome.listed,
      `${workers} workers: every object is in the ledger, once`,
    );
  }
}
