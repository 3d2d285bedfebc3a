/** What a million objects and a million findings add to the database, and what a worker needs in memory for ten million objects. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { many, one } from '../../src/db/database.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { type Ran, run } from '../command.ts';
import { checkMaximum, count, median, megabytes, seconds, table } from '../figures.ts';
import { scanOutcome } from '../scan-outcome.ts';
import { ROOT } from '../seine.ts';
import { openSharedCluster, type SharedCluster } from '../shared-cluster.ts';

const ASKED = 1.3;
/** A short scan ends before its memory has settled: the middle one of three counts. */
const FEW_RUNS = 3;
const EACH_FILE = 50;
const FOLDER_FILES = 500;

export const growth: Benchmark = {
  name: 'growth',
  about:
    'database growth for a million objects and findings; peak memory of a worker for 10,000 and 10 million objects',
  async run(bench) {
    const cluster = await openSharedCluster(bench, 'growth', { SEINE_LEASE_SECONDS: '15' });
    try {
      bench.log(`  simulated objects of 1 to 3 KB; one worker, ${availableParallelism()} threads`);
      bench.log('  $ seine worker --until-idle');
      await growBy(bench, cluster);
      await fewAndMany(bench, cluster);
      await logTables(bench, cluster);
    } finally {
      await cluster.close();
    }
  },
};

interface Grown {
  readonly name: string;
  readonly objects: number;
  readonly findings: number;
  readonly bytes: number;
  readonly ran: Ran;
}

async function growBy(bench: Bench, cluster: SharedCluster): Promise<void> {
  const objects = scaled(bench, 1_000_000, 5000);
  const sim = (seed: number) => `sim:tenants/${objects}/${seed}`;
  await scanned(cluster, bench, 'first', sim(bench.seed), []); // makes the tables
  const rules = join(bench.folder, 'nothing-to-find.yaml');
  writeFileSync(rules, 'name: nothing to find\ndetectors:\n  include: [VIN]\n');
  const clean = await scanned(cluster, bench, 'clean', sim(bench.seed + 1), ['--rules', rules]);
  const few = await scanned(cluster, bench, 'one finding in each of 2 %', sim(bench.seed + 2), []);
  const dense = await scanned(cluster, bench, `${EACH_FILE} findings in each`, denseTree(bench), []);
  const cleanEach = clean.bytes / clean.objects;
  const perFinding = ({ bytes, objects: all, findings }: Grown) => (bytes - all * cleanEach) / findings;
  bench.log(
    table([
      ['', 'objects', 'findings', 'growth', 'for a million'],
      [...rowOf(clean), `${megabytes(cleanEach * 1e6)} (clean objects)`],
      [...rowOf(few), `${megabytes(perFinding(few) * 1e6)} (findings, with a row for each object)`],
      [...rowOf(dense), `${megabytes(perFinding(dense) * 1e6)} (findings)`],
    ]),
  );
  bench.check(clean.findings === 0 && few.findings > 0, 'the clean objects are clean, the others are not');
}

function rowOf({ name, objects, findings, bytes }: Grown): string[] {
  return [name, count(objects), count(findings), megabytes(bytes)];
}

async function fewAndMany(bench: Bench, cluster: SharedCluster): Promise<void> {
  const sizes = [scaled(bench, 10_000, 100), scaled(bench, 10_000_000, 1000)];
  const [few, many_] = sizes.map((size, n) => `sim:tenants/${size}/${bench.seed + 10 + n}`);
  const runs: Grown[] = [];
  for (let n = 0; n < FEW_RUNS; n++) runs.push(await scanned(cluster, bench, 'few', few!, []));
  const peak = median(runs.map(({ ran }) => ran.peakBytes));
  const large = await scanned(cluster, bench, 'many', many_!, []);
  bench.log(
    table([
      ['objects', 'peak of the worker', 'seconds', 'objects/s', 'growth'],
      ...[{ ...runs[0]!, ran: { ...runs[0]!.ran, peakBytes: peak } }, large].map(
        ({ objects, bytes, ran }) => [
          count(objects),
          megabytes(ran.peakBytes),
          seconds(ran.seconds),
          count(objects / ran.seconds),
          megabytes(bytes),
        ],
      ),
    ]),
  );
  const ratio = large.ran.peakBytes / peak;
  bench.log(`  ${checkMaximum('peak memory, many objects to few', ratio, ASKED, 'x')}`);
}

/** By a worker that ends when nothing is left. */
async function scanned(
  cluster: SharedCluster,
  bench: Bench,
  name: string,
  target: string,
  args: readonly string[],
): Promise<Grown> {
  const before = await databaseBytes(cluster);
  const scan = await cluster.submit(target, ['--full', ...args]);
  const ran = await run([join(ROOT, 'seine'), 'worker', '--until-idle'], { env: cluster.env });
  if (ran.code !== 0) throw new Error(`A worker ended with ${ran.code}: ${ran.stderr.slice(-2000)}`);
  const { status, listed, ledgered } = await scanOutcome(cluster.db, scan);
  if (status !== 'completed' || listed !== ledgered)
    bench.check(false, `${name}: ${status}, ${count(ledgered)} of ${count(listed)} in the ledger`);
  const { findings } = await one<{ findings: number }>(
    cluster.db,
    'select count(*) as findings from finding join object_result as object on object.id = object_id where scan_id = $1',
    [scan],
  );
  return { name, objects: listed, findings, bytes: (await databaseBytes(cluster)) - before, ran };
}

async function databaseBytes({ db }: SharedCluster): Promise<number> {
  const sql = 'select pg_database_size(current_database()) as bytes';
  return (await one<{ bytes: number }>(db, sql)).bytes;
}

function denseTree(bench: Bench): string {
  const folder = join(bench.trees, 'dense');
  const files = scaled(bench, 20_000, 100);
  for (let n = 0; n < files; n++) {
    const place = join(folder, String(Math.floor(n / FOLDER_FILES)));
    if (n % FOLDER_FILES === 0) mkdirSync(place, { recursive: true });
    const lines = Array.from({ length: EACH_FILE }, (_, i) => `mail ${n}.${i}.person@example.org\n`);
    writeFileSync(join(place, `${n}.txt`), lines.join(''));
  }
  return folder;
}

async function logTables(bench: Bench, { db }: SharedCluster): Promise<void> {
  const rows = await many<{ name: string; rows: number; bytes: number; indexes: number }>(
    db,
    `select relname as name, n_live_tup as rows, pg_total_relation_size(relid) as bytes, pg_indexes_size(relid) as indexes
     from pg_stat_user_tables where schemaname = 'seine' order by bytes desc limit 6`,
  );
  const lines = rows.map((row) => [row.name, count(row.rows), megabytes(row.bytes), megabytes(row.indexes)]);
  bench.log('  the largest tables in the end:');
  bench.log(table([['', 'rows', 'size', 'of which indexes'], ...lines]));
}
