/** A second scan of an unchanged tree: what it costs to know that nothing happened. */
import type { Benchmark } from '../benchmark.ts';
import { count, megabytes, seconds, table } from '../figures.ts';
import type { Seine } from '../seine.ts';
import { millionFiles, millionScan, millionSeine } from './memory.ts';

export const rescan: Benchmark = {
  name: 'again',
  about: 'a second scan of 1,000,000 unchanged files: seconds, bytes read, size of the inventory',
  async run(bench) {
    const tree = await millionFiles(bench);
    const first = await millionScan(bench);
    const seine = await millionSeine(bench);
    const second = await seine.run(['scan', tree.folder, '--quiet']);
    const scan = (await seine.newest())!;
    const coverage = await seine.coverage(scan.id);
    const sizes = await readSizes(seine, scan.id);
    bench.log(
      table([
        ['', 'first', 'second'],
        ['seconds', seconds(first.ran.seconds), seconds(second.seconds)],
        ['objects/s', count(tree.files / first.ran.seconds), count(tree.files / second.seconds)],
        ['peak memory', megabytes(first.ran.peakBytes), megabytes(second.peakBytes)],
        ['bytes read', count(sizes.first), count(sizes.second)],
      ]),
    );
    const outcomes = coverage.ledger.map((line) => `${count(line.objects)} ${line.outcome}`).join(', ');
    bench.log(`  second scan: ${count(coverage.listed)} listed; ${outcomes}`);
    bench.log(
      `  inventory: ${(sizes.entries / tree.files).toFixed(1)} bytes an object, ${(sizes.inventory / tree.files).toFixed(1)} as stored; database ${megabytes(sizes.database)}`,
    );
    bench.check(sizes.second === 0, 'the second scan read nothing');
    bench.check(coverage.listed === tree.files, 'every file was listed');
    bench.check(coverage.ledgered === tree.files, 'every file is in the ledger');
    await seine.stopped();
  },
};

interface Sizes {
  /** Bytes read by the scan, and by the one before it. */
  readonly first: number;
  readonly second: number;
  readonly entries: number;
  readonly inventory: number;
  readonly database: number;
}

async function readSizes(seine: Seine, scan: number): Promise<Sizes> {
  const [sizes] = await seine.query<Sizes>(
    `select
       (select coalesce(sum(bytes_read), 0)::float8 from shard
         where scan_id = (select max(id) from scan where id < $1)) as first,
       (select coalesce(sum(bytes_read), 0)::float8 from shard where scan_id = $1) as second,
       (select sum(octet_length(entries))::float8 from inventory_block where scan_id = $1) as entries,
       pg_total_relation_size('inventory_block')::float8 as inventory,
       pg_database_size(current_database())::float8 as database`,
    [scan],
  );
  return sizes!;
}
