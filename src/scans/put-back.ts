/**
 * A shard whose run threw. It waits a while and is tried again; when that has happened too often without any progress it is given
 * up: a hole in the scan, with a dead letter. Workers that died holding it don't count: see careful.ts and crashes.ts for those.
 */
import { messageOf, SeineError } from '../base/errors.ts';
import { backoff } from '../base/retry.ts';
import { signatureOf } from '../base/signature.ts';
import type { Database } from '../db/database.ts';
import { storable } from '../db/storable.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import type { Held } from '../engine/leases/lease.ts';
import { failLease, rereadLease, retryLeaseLater } from '../engine/leases/lease-store.ts';
import { CredentialRefused } from '../sources/credential-refused.ts';
import { addDeadShard } from './dead-letters/shard-letter-store.ts';
import { lastShardEnded } from './finalize.ts';
import { type Names, PLAIN_NAMES } from './names/name-masker.ts';
import { giveUpPart } from './parts/end-part.ts';
import { telling } from './scan-events.ts';
import { readShard } from './shard-store.ts';

const MOST_FAILURES = 8;
/** A store that is away for minutes, or a token that is renewed late, is no reason to leave a hole. */
const MOST_OUTAGES = 24;
const LONGEST_PAUSE_MS = 20_000;

export interface PutBackTools {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly names?: Pick<Names, 'message'>;
}

export interface PutBack {
  /** The shard will not be tried again. */
  readonly givenUp: boolean;
  /** Failed runs since the cursor last moved, this one included. */
  readonly failures: number;
}

/** `claimed`: the lease as it was claimed. What counts is how it stands now: each checkpoint that moves the cursor resets its counters. */
export async function putBack(claimed: Held, tools: PutBackTools, error: unknown): Promise<PutBack> {
  const { db, names = PLAIN_NAMES } = tools;
  const reason = storable(names.message(messageOf(error)));
  const held = await rereadLease(db, claimed);
  if (held === null) return { givenUp: false, failures: 0 }; // it was lost: whoever has it now decides
  const failures = held.failures + 1;
  if (!isLast(failures, error)) {
    const pause = backoff(held.failures, { mostMs: LONGEST_PAUSE_MS });
    await retryLeaseLater(db, held, reason, pause);
    return { givenUp: false, failures };
  }
  return { givenUp: await giveUpShard(held, tools, reason), failures };
}

/** True: it is a hole in the scan now. False: it was lost, or is a part of an object, which has the hole. */
export async function giveUpShard(held: Held, { db, jobs }: PutBackTools, reason: string): Promise<boolean> {
  const { kind } = await readShard(db, held.id);
  if (kind === 'part' && (await db.tx((tx) => giveUpPart(tx, held, reason)))) return false;
  return telling(db, async (tx, tell) => {
    const remaining = await failLease(tx, held, reason);
    if (remaining === null) return false; // it was lost: whoever has it now decides
    await addDeadShard(tx, held, reason);
    tell(held.work, { type: 'shardFailed', shard: held.id, cause: signatureOf(reason) });
    if (remaining === 0) await lastShardEnded(jobs, tx, held.work, tell);
    return true;
  });
}

function isLast(failures: number, error: unknown): boolean {
  const mayPass = error instanceof CredentialRefused || (error instanceof SeineError && error.retry);
  return failures >= (mayPass ? MOST_OUTAGES : MOST_FAILURES);
}
