/** `find-seed.ts SEEDS [workflows]`: runs seeds until one violates an invariant, and prints it. Run by run-mutations.ts within a mutated copy. */
import { setup } from '../../support/database.ts';
import { runSeeds } from '../run-seeds.ts';
import { WORKFLOWS } from '../workflows/simulation.ts';

const maxSeeds = Number(process.argv[2]);
const stop = await setup();
try {
  const seeds = Array.from({ length: maxSeeds }, (_, i) => i + 1);
  const { broken } = await runSeeds(2, seeds, { enough: 1, ...(process.argv[3] && { of: WORKFLOWS }) });
  const [first] = broken.toSorted((a, b) => a.seed - b.seed);
  process.stdout.write(JSON.stringify(first ? { seed: first.seed, broken: first.broken } : null));
} finally {
  await stop();
}
process.exit(0);
