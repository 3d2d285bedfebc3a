/** A runner of parents and their children in a process of its own, until it is asked to stop. */
import { messageOf } from '../../../src/base/errors.ts';
import { family } from '../../../src/workflows/children/family.fixture.ts';
import { runWorkflows } from '../../../src/workflows/client.ts';

const { parent, job } = family('kin');
const runner = await runWorkflows({
  workflows: [parent, job],
  ...(process.env.DATABASE_URL
    ? { databaseUrl: process.env.DATABASE_URL }
    : { dataFolder: process.env.SEINE_DATA! }),
  connections: 6,
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
