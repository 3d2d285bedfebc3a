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
/** Longer than a test may take: a test that depends on polling fails. */
const AGES = 3_600_000;

interface FakeListener {
  readonly db: Database;
  onNotification: (payload: string) => void;
  stopped: boolean;
}

/** A database whose notifications are sent by the test. */
function withListener(): FakeListener {
  const listener: FakeListener = {
    onNotification: () => {},
    stopped: false,
    db: {
      ...db,
      async listen(channel, onNotification) {
        expect(channel).toBe(PROGRESS_CHANNEL);
        listener.onNotification = onNotification;
        return async () => {
          listener.stopped = true;
        };
      },
    },
  };
  return listener;
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

  it('reads a snapshot at once when a worker notifies', async () => {
    const scan = await runningScan(db);
    const watch = watchScan(db, scan, { signal: never, maxIntervalMs: AGES, minIntervalMs: 1 });
    await watch.next();
    await endScanAs(db, scan, 'completed');
    const next = watch.next();
    await notifyProgress(db, scan);
    expect((await next).value?.scan.status).toBe('completed');
    expect((await watch.next()).done).toBe(true);
  });

  it('receives notifications of a transaction when it commits', async () => {
    const scan = await runningScan(db);
    const watch = watchScan(db, scan, { signal: never, maxIntervalMs: AGES, minIntervalMs: 1 });
    await watch.next();
    await db.tx(async (tx) => {
      await notifyProgress(tx, scan);
      await endScanAs(tx, scan, 'completed');
    });
    expect((await watch.next()).value?.scan.status).toBe('completed');
    await watch.return(); // otherwise it would listen on a closed database
  });

  it('loses no more than a poll when a notification is lost', async () => {
    const scan = await runningScan(db);
    const deaf = withListener();
    const watch = watchScan(deaf.db, scan, { signal: never, maxIntervalMs: 30, minIntervalMs: 1 });
    await watch.next();
    await endScanAs(db, scan, 'completed');
    expect((await watch.next()).value?.scan.status).toBe('completed');
  });

  it('only polls where listening is not possible', async () => {
    const scan = await runningScan(db);
    const silent: Database = { ...db, listen: () => Promise.reject(new Error('no listen through a pooler')) };
    const watch = watchScan(silent, scan, { signal: never, maxIntervalMs: 30, minIntervalMs: 1 });
    await watch.next();
    await endScanAs(db, scan, 'completed');
    expect((await watch.next()).value?.scan.status).toBe('completed');
  });

  it('does not lose notifications while its reader is busy', async () => {
    const scan = await runningScan(db);
    const listener = withListener();
    const watch = watchScan(listener.db, scan, { signal: never, maxIntervalMs: AGES, minIntervalMs: 1 });
    await watch.next();
    listener.onNotification(String(scan));
    expect((await watch.next()).done).toBe(false);
    listener.onNotification(''); // the connection was lost: notifications may have been missed
    expect((await watch.next()).done).toBe(false);
    await watch.return();
    expect(listener.stopped).toBe(true);
  });

  it('stops when it is aborted, also during its pause', async () => {
    const scan = await runningScan(db);
    const listener = withListener();
    const stop = new AbortController();
    const watch = watchScan(listener.db, scan, { signal: stop.signal, maxIntervalMs: AGES });
    await watch.next();
    const next = watch.next();
    stop.abort();
    expect((await next).done).toBe(true);
    expect(listener.stopped).toBe(true);
  });

  it('continues after an outage of the database', async () => {
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

  it('reports a missing scan', async () => {
    const watch = watchScan(db, 987_654, { signal: never });
    await expect(watch.next()).rejects.toMatchObject({ kind: 'not-found' });
  });
});
