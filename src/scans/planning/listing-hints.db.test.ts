import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Key } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { createSimSource } from '../../sources/sim/sim.ts';
import type { Source } from '../../sources/source.ts';
import { runningScan } from '../monitor/running-scan.fixture.ts';
import { listWithHints } from './listing-hints.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const never = new AbortController().signal;

async function heldShard(): Promise<HeldLease> {
  const scan = await runningScan(db);
  return (await claimLease(db, { kind: 'shard', groupId: scan, holder: randomUUID(), ttlMs: 60_000 }))!;
}

async function keysOf(pages: AsyncIterable<readonly { key: Key }[]>): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const page of pages) keys.push(...page.map(({ key }) => key));
  return keys;
}

/** The latest published page, or null. */
async function publishedPage(lease: number): Promise<{ count: number; upTo: Key } | null> {
  const { rows } = await db.query<{ page: { count: number; upTo: Key } }>(
    'select page from lease_split_hint where lease_id = $1',
    [lease],
  );
  return rows[0]?.page ?? null;
}

describe('a noted listing', () => {
  it('returns what the source lists, and publishes each large page', async () => {
    const source = createSimSource({ objects: 2500 });
    const shard = { held: await heldShard() };
    const keys = await keysOf(listWithHints(shard, { db, source }, never));
    expect(keys).toEqual(Array.from({ length: 2500 }, (_, i) => source.objectAt(i).key));
    await expect.poll(() => publishedPage(shard.held.id)).toMatchObject({ count: 500, upTo: keys.at(-1) });
  });

  it('publishes one page after the other, and drops outdated ones', async () => {
    const source = createSimSource({ objects: 5000 });
    const pages: Key[] = [];
    const answers: (() => void)[] = [];
    const query = (_: string, [, page]: string[]) => {
      pages.push(JSON.parse(page!).upTo);
      return new Promise<void>((resolve) => answers.push(resolve));
    };
    const slow = { ...db, query } as unknown as Database;
    await keysOf(listWithHints({ held: await heldShard() }, { db: slow, source }, never));
    expect(pages).toEqual([source.objectAt(999).key]);
    answers[0]!();
    await expect.poll(() => pages).toEqual([source.objectAt(999).key, source.objectAt(4999).key]);
  });

  it('of a few objects publishes nothing', async () => {
    const source = createSimSource({ objects: 50 });
    const shard = { held: await heldShard() };
    await keysOf(listWithHints(shard, { db, source }, never));
    expect(await publishedPage(shard.held.id)).toBeNull();
  });

  it('ends where the shard ends by then, not where it ended in the beginning', async () => {
    const all = createSimSource({ objects: 5000 });
    const requested: (Key | null)[] = [];
    const source: Source = {
      ...all,
      async *list(range, signal) {
        for await (const page of all.list(range, signal)) {
          requested.push(range.upTo);
          yield page;
        }
      },
    };
    const shard = { held: await heldShard() };
    for await (const _ of listWithHints(shard, { db, source }, never)) {
      shard.held = { ...shard.held, upTo: all.objectAt(1999).key };
    }
    expect(requested.slice(0, 2)).toEqual([null, all.objectAt(1999).key]);
  });

  it('continues when publishing fails', async () => {
    const source = createSimSource({ objects: 1000 });
    const deaf = { ...db, query: () => Promise.reject(new Error('the database is away')) };
    const pages = listWithHints({ held: await heldShard() }, { db: deaf, source }, never);
    expect(await keysOf(pages)).toHaveLength(1000);
  });
});
