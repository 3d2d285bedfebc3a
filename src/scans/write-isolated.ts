/**
 * The rows of a stretch when PostgreSQL has refused some of them. The stretch is halved until the objects stand alone whose rows are refused;
 * each of those is written as dead, with a letter, and all others as usual. Every object is counted once: the ledger still equals the
 * listing. Nothing is done here before a first refusal, see shard-progress.ts.
 */
import type { Tx } from '../db/database.ts';
import { refusalOf, tryToWrite } from '../db/refused-data.ts';
import type { Held } from '../engine/leases/lease.ts';
import { type Inspection, notRead } from './inspection.ts';
import { addToLedger } from './result-store.ts';
import type { Tell } from './scan-events.ts';
import type { StretchTally } from './tally.ts';
import { type TallyContext, takeBack, writeTally } from './write-tally.ts';

export async function writeIsolated(
  tx: Tx,
  held: Held,
  tally: StretchTally,
  to: TallyContext,
  tell: Tell,
): Promise<void> {
  const refused = await tryToWrite(tx, () => writeTally(tx, held, tally, to, tell));
  if (refused === null) return;
  const [left, right] = tally.halves();
  if (right === null) return writeRefused(tx, held, left, to, refused, tell);
  await writeIsolated(tx, held, left, { ...to, cursor: left.keys.at(-1)! }, tell);
  await writeIsolated(tx, held, right, to, tell);
}

/** One object. If not even its row as a dead object is taken, it is only counted. */
async function writeRefused(
  tx: Tx,
  held: Held,
  tally: StretchTally,
  to: TallyContext,
  error: unknown,
  tell: Tell,
): Promise<void> {
  const dead = tally.with(notStored(error));
  if ((await tryToWrite(tx, () => writeTally(tx, held, dead, to, tell))) === null) return;
  const before = to.retrying ? await takeBack(tx, held.work, dead.keysOfAllVersions) : [];
  await addToLedger(tx, held.work, held.id, [...dead.ledger([]), ...before]);
}

/** What becomes of an object, or of a step of a huge one, whose result is refused. */
export function notStored(error: unknown): Inspection {
  const evidence = { error: refusalOf(error) };
  return { ...notRead('dead', 'its result could not be stored', false), evidence };
}
