import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { notifyProgress, PROGRESS_CHANNEL } from './progress-channel.ts';
import { endScanAs, runningScan } from './running-scan.fixture.ts';
import { watchScan } from './watch-scan.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const never = new AbortController().signal;
/** Longer than a test may take: who is woken by this alone fails. */
const AGES = 3_600_000;

interface Ear {
  readonly db: Database;
  heard: (payload: string) => void;
  stopped: boolean;
}

/** A database whose notifications come from the test. */
function withEar(): Ear {
  const ear: Ear = {
    heard: () => {},
    stopped: false,
    db: {
      ...db,
      async listen(channel, heard) {
        expect(channel).toBe(PROGRESS_CHANNEL);
        ear.heard = heard;
        return async () => {
          ear.stopped = true;
        };
      },
    },
  };
  return ear;
}

describe('watching a scan', () => {
  it('ends with the snapshot of the ended scan', async () => {
    const scan = await runningScan(db);
    const statuses: string[] = [];
    for await (const snapshot of watchScan(db, scan, {
      signal: never,
      maxIntervalMs: 20,
      minIntervalMs: 1,
    })) {
      statuses.push(snapshot.scan.status);
      if (statuses.length === 2) await endScanAs(db, scan, 'incomplete');
    }
    expect(statuses).toEqual(['running', 'running', 'incomplete']);
  });

  it('gives one snapshot of a scan that ended long ago', async () => {
    const scan = await runningScan(db);
    await endScanAs(db, scan, 'cancelled');
    const watch = watchScan(db, scan, { signal: never, maxIntervalMs: AGES });
    expect((await watch.next()).value?.scan.status).toBe('cancelled');
    expect((await watch.next()).done).toBe(true);
  });

  it('looks at once when a worker tells', async () => {
    const scan = await runningScan(db);
    const watch = watchScan(db, scan, { signal: never, maxIntervalMs: AGES, minIntervalMs: 1 });
    await watch.next();
    await endScanAs(db, scan, 'completed');
    const next = watch.next();
    await notifyProgress(db, scan);
    expect((await next).value?.scan.status).toBe('completed');
    expect((await watch.next()).done).toBe(true);
  });

  it('hears what is told in a transaction when that commits', async () => {
    const scan = await runningScan(db);
    const watch = watchScan(db, scan, { signal: never, maxIntervalMs: AGES, minIntervalMs: 1 });
    await watch.next();
    await db.tx(async (tx) => {
      await notifyProgress(tx, scan);
      await endScanAs(tx, scan, 'completed');
    });
    expect((await watch.next()).value?.scan.status).toBe('completed');
    await watch.return(); // it would listen to a database that is gone
  });

  it('loses no more than a poll when a notification is lost', async () => {
    const scan = await runningScan(db);
    const deaf = withEar();
    const watch = watchScan(deaf.db, scan, { signal: never, maxIntervalMs: 30, minIntervalMs: 1 });
    await watch.next();
    await endScanAs(db, scan, 'completed');
    expect((await watch.next()).value?.scan.status).toBe('completed');
  });

  it('only polls where nothing can be heard at all', async () => {
    const scan = await runningScan(db);
    const silent: Database = { ...db, listen: () => Promise.reject(new Error('no listen through a pooler')) };
    const watch = watchScan(silent, scan, { signal: never, maxIntervalMs: 30, minIntervalMs: 1 });
    await watch.next();
    await endScanAs(db, scan, 'completed');
    expect((await watch.next()).value?.scan.status).toBe('completed');
  });

  it('does not forget what was told while its reader was busy', async () => {
    const scan = await runningScan(db);
    const ear = withEar();
    const watch = watchScan(ear.db, scan, { signal: never, maxIntervalMs: AGES, minIntervalMs: 1 });
    await watch.next();
    ear.heard(String(scan));
    expect((await watch.next()).done).toBe(false);
    ear.heard(''); // the connection broke: something may have been missed
    expect((await watch.next()).done).toBe(false);
    await watch.return();
    expect(ear.stopped).toBe(true);
  });

  it('stops when it is asked to, also in the middle of its pause', async () => {
    const scan = await runningScan(db);
    const ear = withEar();
    const stop = new AbortController();
    const watch = watchScan(ear.db, scan, { signal: stop.signal, maxIntervalMs: AGES });
    await watch.next();
    const next = watch.next();
    stop.abort();
    expect((await next).done).toBe(true);
    expect(ear.stopped).toBe(true);
  });

  it('goes on after the database was away', async () => {
    const scan = await runningScan(db);
    let outages = 2;
    const shaky: Database = {
      ...db,
      tx: (work) => (outages-- > 0 ? Promise.reject(new SeineError('unavailable', 'away')) : db.tx(work)),
    };
    const watch = watchScan(shaky, scan, { signal: never, maxIntervalMs: AGES });
    expect((await watch.next()).value?.scan.id).toBe(scan);
    expect(outages).toBeLessThan(0);
    await watch.return();
  });

  it('says that there is no such scan', async () => {
    const watch = watchScan(db, 987_654, { signal: never });
    await expect(watch.next()).rejects.toMatchObject({ kind: 'not-found' });
  });
});
