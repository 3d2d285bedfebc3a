/** What must hold after every run, whatever happened in it. Each broken promise is a sentence. */

import { messageOf } from '../../src/base/errors.ts';
import { type Key, keyFromBytes } from '../../src/base/key.ts';
import { type Database, many, one } from '../../src/db/database.ts';
import { readScan } from '../../src/scans/scan-store.ts';
import { coverageSums } from '../../src/scans/shard-store.ts';
import type { Run } from './cluster.ts';

export async function brokenPromises(db: Database, run: Run): Promise<string[]> {
  return [
    ...run.failures.map((failure) => `an actor failed: ${messageOf(failure)}`),
    ...(await everyObjectOnce(db, run)),
    ...(await sumsAreRight(db, run)),
    ...(await rangesTile(db, run)),
    ...(await endedOnce(db, run)),
  ];
}

/** Every object has one row with its one finding: none lost, none twice, none invented. */
async function everyObjectOnce(db: Database, { scan, keys }: Run): Promise<string[]> {
  const rows = await many<{ key: Buffer; findings: number }>(
    db,
    `select o.key, (select count(*) from finding f where f.object_id = o.id) as findings
     from object o where o.scan_id = $1 order by o.key`,
    [scan],
  );
  const seen = rows.map((row) => keyFromBytes(row.key));
  const broken: string[] = [];
  if (seen.join('\n') !== [...keys].sort().join('\n'))
    broken.push(`${seen.length} objects have a row, ${keys.length} exist`);
  if (rows.some((row) => row.findings !== 1)) broken.push('an object has not exactly its one finding');
  return broken;
}

async function sumsAreRight(db: Database, { scan, keys }: Run): Promise<string[]> {
  const { listed, ledgered, dead } = await coverageSums(db, scan);
  const work = await one<{ remaining: number; failed: number }>(
    db,
    'select remaining, failed from work where id = $1',
    [scan],
  );
  const broken: string[] = [];
  if (listed !== keys.length) broken.push(`${listed} objects are counted as listed, ${keys.length} exist`);
  if (ledgered !== keys.length) broken.push(`the ledger holds ${ledgered} of ${keys.length} objects`);
  if (dead !== 0) broken.push(`${dead} objects are dead, though nothing was wrong with them`);
  if (work.remaining !== 0) broken.push(`${work.remaining} shards remain after the end`);
  if (work.failed !== 0) broken.push(`${work.failed} shards failed, though nothing was wrong with them`);
  return broken;
}

/** No key is in zero or two shards. */
async function rangesTile(db: Database, { scan }: Run): Promise<string[]> {
  const rows = await many<{ after_key: Buffer; up_to: Buffer | null; state: string }>(
    db,
    'select after_key, up_to, state from lease where work_id = $1 order by after_key, up_to',
    [scan],
  );
  const broken: string[] = [];
  let end: Key | null = '' as Key;
  for (const row of rows) {
    if (end === null || keyFromBytes(row.after_key) !== end) broken.push('two shards overlap or leave a gap');
    end = row.up_to && keyFromBytes(row.up_to);
    if (row.state !== 'done') broken.push(`a shard is ${row.state} after the end`);
  }
  if (end !== null) broken.push('the last shard does not reach the end');
  return broken;
}

async function endedOnce(db: Database, { scan }: Run): Promise<string[]> {
  const row = (await readScan(db, scan))!;
  const sent = await many<{ name: string; n: number }>(
    db,
    `select coalesce(data->>'hook', name) as name, count(*) as n from sent where (data->>'scan')::bigint = $1 group by 1`,
    [scan],
  );
  const broken = row.status === 'completed' ? [] : [`the scan is ${row.status}: ${row.error}`];
  for (const { name, n } of sent) if (n !== 1) broken.push(`${name} was sent ${n} times`);
  if (!sent.some(({ name }) => name === 'finalize')) broken.push('nobody sent finalize');
  return broken;
}
