/** `steady-runner.ts [INDEX/TOTAL]`: a runner of test/support/workflows/steady.ts in a process of its own, until it is asked to stop. */
import { messageOf } from '../../../src/base/errors.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { runWorkflows } from '../../../src/workflows/client.ts';
import { parsePartitionOption } from '../../../src/workflows/partitions/partition.ts';
import { steady } from './steady.ts';

const dataFolder = process.env.SEINE_DATA!;
const databaseUrl = process.env.DATABASE_URL;
const outside = await openDatabase({ databaseUrl, dataFolder, max: 4 });
const runner = await runWorkflows({
  workflows: [steady(outside)],
  ...(databaseUrl ? { databaseUrl } : { dataFolder }),
  connections: 6,
  partition: parsePartitionOption(process.argv[2], {}),
  leaseMs: Number(process.env.STEADY_LEASE_MS),
  pollMs: 100,
  say: (sentence) => void process.stderr.write(`${sentence}\n`),
});
process.once('SIGTERM', async () => {
  await runner.stop(5000);
  process.exit(0);
});
runner.broken.catch((error) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(3);
});
process.stderr.write('is ready\n');
