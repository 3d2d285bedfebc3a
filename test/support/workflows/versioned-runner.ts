/** `versioned-runner.ts VERSION [INDEX/TOTAL]`: a runner of test/support/workflows/versioned.ts with that version of the code, until it is asked to stop. */
import { messageOf } from '../../../src/base/errors.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { runWorkflows } from '../../../src/workflows/client.ts';
import { parsePartitionOption } from '../../../src/workflows/partitions/partition.ts';
import { versioned } from './versioned.ts';

const dataFolder = process.env.SEINE_DATA!;
const outside = await openDatabase({ dataFolder, max: 3 });
const runner = await runWorkflows({
  workflows: [versioned(outside, Number(process.argv[2]))],
  dataFolder,
  connections: 5,
  partition: parsePartitionOption(process.argv[3], {}),
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
