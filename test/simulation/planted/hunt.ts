/** `hunt.ts SEEDS`: runs seeds until one breaks a promise, and says which. Run by plant.ts within a copy that has a bug. */
import { freshDatabase, setup } from '../../support/database.ts';
import { runSeeds } from '../run-seeds.ts';

const most = Number(process.argv[2]);
const stop = await setup();
const databases = [await freshDatabase(1), await freshDatabase(1)];
try {
  const seeds = Array.from({ length: most }, (_, i) => i + 1);
  const { broken } = await runSeeds(
    databases.map(({ url }) => url),
    seeds,
    { enough: 1 },
  );
  const [first] = broken.toSorted((a, b) => a.seed - b.seed);
  process.stdout.write(JSON.stringify(first ? { seed: first.seed, broken: first.broken } : null));
} finally {
  for (const database of databases) await database.close();
  await stop();
}
process.exit(0);
