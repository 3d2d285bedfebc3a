/** The whole product on one machine from a real S3 server, against the same objects read by plain GETs and thrown away. */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Rgw } from '../../test/support/servers/rgw.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { type Ran, run } from '../command.ts';
import { count, median, megabytes, table, times } from '../figures.ts';
import { type BucketPlan, type MadeBucket, makeBucket, s3Environment, sharedRgw } from '../rgw.ts';
import { ROOT, Seine } from '../seine.ts';

/** The default of `worker.reads_at_once`. */
const READS_AT_ONCE = 16;

export const store: Benchmark = {
  name: 'store',
  about:
    'objects/s and MB/s of a scan from S3 (4 KB and 8 MB objects) against plain GETs of the same objects',
  async run(bench) {
    const rgw = await sharedRgw(bench);
    if (rgw === null) return;
    const threads = availableParallelism();
    bench.log(
      `  Ceph's S3 server on this machine; ${threads} threads with ${READS_AT_ONCE} reads at once each`,
    );
    const plans: BucketPlan[] = [
      { objects: scaled(bench, 10_000, 200), size: 4096, plantedRate: 0.001 },
      { objects: scaled(bench, 100, 4), size: 8 << 20, plantedRate: 0.001 },
    ];
    for (const plan of plans) await compareReads(bench, rgw, await makeBucket(bench, rgw, plan));
  },
};

interface Way {
  readonly name: string;
  run(): Promise<Ran>;
  readonly ran: Ran[];
}

async function compareReads(bench: Bench, rgw: Rgw, bucket: MadeBucket): Promise<void> {
  const seine = new Seine(bench, bucket.name);
  const env = s3Environment(rgw);
  const scan: Way = {
    name: 'seine: list, read, detect, write down',
    run: () => seine.run(['scan', bucket.target, '--full', '--quiet'], { env }),
    ran: [],
  };
  const floor = plainReads(bench, bucket, env, 'http', 'node:http, GETs alone');
  const ways = [scan, plainReads(bench, bucket, env, 'sdk', 'AWS SDK, GETs alone'), floor];
  for (const way of ways) await way.run(); // not measured: makes the database, warms the server
  for (let n = 0; n < bench.runs; n++) for (const way of ways) way.ran.push(await way.run());
  bench.log(`  medians of ${bench.runs} runs in turns, whole processes with their start:`);
  const head = ['', 'seconds', 'objects/s', 'MB/s', 'of the floor', 'cpu s', 'peak'];
  bench.log(table([head, ...ways.map((way) => rowOf(way, floor, bucket))]));
  await checkScan(bench, seine, bucket);
  await seine.stopped();
}

function plainReads(
  bench: Bench,
  bucket: MadeBucket,
  env: Readonly<Record<string, string>>,
  way: string,
  name: string,
): Way {
  const keys = join(bench.folder, `${bucket.name}.keys`);
  writeFileSync(keys, bucket.keys.join('\n'));
  const script = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(ROOT, 'bench/plain-reads.ts'),
  ];
  const words = [...script, way, bucket.name, keys, `${availableParallelism()}`, `${READS_AT_ONCE}`];
  return {
    name,
    async run() {
      const ran = await run(words, { env });
      if (ran.code !== 0) throw new Error(ran.stderr);
      if (Number(ran.stdout) !== bucket.bytes) throw new Error(`${name} read ${ran.stdout} bytes.`);
      return ran;
    },
    ran: [],
  };
}

function rowOf(way: Way, floor: Way, bucket: MadeBucket): string[] {
  const of = (each: (ran: Ran) => number, whose = way) => median(whose.ran.map(each));
  const time = of((ran) => ran.seconds);
  return [
    way.name,
    time.toFixed(2),
    count(bucket.objects / time),
    (bucket.bytes / 1e6 / time).toFixed(1),
    times(time / of((ran) => ran.seconds, floor)),
    of((ran) => ran.cpuSeconds).toFixed(2),
    megabytes(of((ran) => ran.peakBytes)),
  ];
}

async function checkScan(bench: Bench, seine: Seine, bucket: MadeBucket): Promise<void> {
  const newest = (await seine.newest())!;
  const { listed, ledgered } = await seine.coverage(newest.id);
  bench.log(`  ${count(newest.findings)} findings`);
  bench.check(listed === bucket.objects && ledgered === listed, 'every object is in the ledger, once');
}
