import { describe, expect, it } from 'vitest';
import type { Stall } from '../../workflows/stall/stall.ts';
import type { WaitingHook } from '../hooks/waiting-store.ts';
import { type AlertId, DEFAULT_THRESHOLDS } from './alert.ts';
import { evaluateAlerts, evaluateScanlessAlerts } from './alerts.ts';
import {
  sampleScanless,
  sampleShard,
  sampleSnapshot,
  sampleWorker,
  sampleWorkers,
  sampleWorkflows,
} from './snapshot.fixture.ts';
import type { Snapshot, WorkerStatus, WorkflowsNow } from './snapshot.ts';

const calm = sampleSnapshot();
const ids = (now: Snapshot, before: Snapshot | null = null) =>
  evaluateAlerts(before, now).map((alert) => alert.id);
const waitingHook = (waitingSeconds: number, change: Partial<WaitingHook> = {}): WaitingHook => ({
  scan: calm.scan.id,
  name: 'export /srv/out',
  attempts: 0,
  error: null,
  place: 'pier-9/mnt:[4026531841]',
  hasWorker: false,
  waitingSeconds,
  ...change,
});
const withWorkflows = (change: Partial<WorkflowsNow>) =>
  sampleSnapshot({ workflows: sampleWorkflows(change) });
const withWorkers = (...list: WorkerStatus[]) => sampleSnapshot({ workers: sampleWorkers(list) });
const ago = (seconds: number, change: Partial<Snapshot> = {}) =>
  sampleSnapshot({ at: new Date(Date.parse(calm.at) - seconds * 1000).toISOString(), ...change });

const sampleStall: Stall = {
  transaction: {
    xid: '748',
    pid: 4711,
    gid: null,
    user: 'app',
    database: 'crm',
    application: 'billing',
    client: null,
    seconds: 73,
    state: 'idle in transaction',
    query: 'update invoice set paid = true',
    hiddenFrom: null,
  },
  workflows: ['order'],
  waitingSeconds: 12,
};

/** A snapshot that triggers the alert, and one just short of it. */
const cases: [AlertId, fires: Snapshot, doesNot: Snapshot][] = [
  ['log-stalled', withWorkflows({ stall: sampleStall }), withWorkflows({ stall: null })],
  [
    'messages-unserved',
    withWorkflows({ unserved: [{ workflow: 'shipment', messages: 3, waitingSeconds: 300 }] }),
    withWorkflows({ unserved: [] }),
  ],
  [
    'workflows-parked',
    withWorkflows({ parked: [{ workflow: 'order', reactions: 1, messages: 0 }] }),
    withWorkflows({ parked: [] }),
  ],
  [
    'messages-rejected',
    withWorkflows({ rejected: [{ workflow: 'order', messages: 1 }] }),
    withWorkflows({ rejected: [] }),
  ],
  [
    'worker-stale',
    withWorkers(sampleWorker(1), sampleWorker(2, { seenSeconds: 61 })),
    withWorkers(sampleWorker(1), sampleWorker(2, { seenSeconds: 59 })),
  ],
  [
    'shard-without-progress',
    sampleSnapshot({ stillest: [sampleShard(1, { stillSeconds: 301, workerStillSeconds: 301 })] }),
    sampleSnapshot({ stillest: [sampleShard(1, { stillSeconds: 299, workerStillSeconds: 299 })] }),
  ],
  [
    'dead-letters-growing',
    sampleSnapshot({ deadLetters: { total: 11, lastMinute: 11, signatures: [] } }),
    sampleSnapshot({ deadLetters: { total: 5000, lastMinute: 10, signatures: [] } }),
  ],
  [
    'limiter-waiting',
    withWorkers(sampleWorker(1, { waiting: 0.9 }), sampleWorker(2, { waiting: 0.3 })),
    withWorkers(sampleWorker(1, { waiting: 0.9 }), sampleWorker(2, { waiting: 0 })),
  ],
  [
    'connections-short',
    sampleSnapshot({ connections: { used: 80, most: 100 } }),
    sampleSnapshot({ connections: { used: 79, most: 100 } }),
  ],
  [
    'hook-waiting',
    sampleSnapshot({ hooks: [waitingHook(1801)] }),
    sampleSnapshot({ hooks: [waitingHook(1799)] }),
  ],
  [
    'no-worker',
    withWorkers(),
    sampleSnapshot({ scan: { ...calm.scan, status: 'interrupted' }, workers: sampleWorkers([]) }),
  ],
];

describe('alerts', () => {
  it('are none when all is well', () => {
    expect(evaluateAlerts(ago(600), calm)).toEqual([]);
    expect(evaluateAlerts(null, calm)).toEqual([]);
  });

  it.each(cases)('%s fires when it should, and not before', (id, fires, doesNot) => {
    expect(ids(fires)).toEqual([id]);
    expect(ids(doesNot)).toEqual([]);
  });

  it('use the thresholds they are given', () => {
    const one = { ...DEFAULT_THRESHOLDS, connectionsPercent: 10 };
    expect(evaluateAlerts(null, calm, one)).toMatchObject([{ id: 'connections-short', severity: 'warning' }]);
  });

  it('describe the problem in one sentence, and the remedy', () => {
    for (const [, fires] of cases) {
      const [alert] = evaluateAlerts(null, fires);
      expect(alert!.what).toMatch(/^[A-Z0-9].*\.$/);
      expect(alert!.advice).toMatch(/^[A-Z]/);
    }
  });

  it('are sorted by severity', () => {
    const both = sampleSnapshot({
      connections: { used: 99, most: 100 },
      deadLetters: { total: 20, lastMinute: 20, signatures: [{ signature: 'timeout', count: 20 }] },
    });
    expect(evaluateAlerts(null, both).map((alert) => alert.severity)).toEqual(['critical', 'warning']);
  });

  it('list a few of many, and count the rest', () => {
    const list = Array.from({ length: 40 }, (_, n) => sampleWorker(n, { seenSeconds: 100 }));
    const [alert] = evaluateAlerts(null, withWorkers(...list)).filter(({ id }) => id === 'worker-stale');
    expect(alert!.what).toBe(
      '40 workers have missed heartbeats for up to 100 s: pier-0:4100, pier-1:4101, pier-2:4102, and 37 more.',
    );
  });
});

describe('alerts without a scan', () => {
  it('are those of workflows, of workers and of the database', () => {
    const now = sampleScanless({
      workers: sampleWorkers([sampleWorker(1, { seenSeconds: 61 })]),
      connections: { used: 99, most: 100 },
      workflows: sampleWorkflows({
        stall: sampleStall,
        unserved: [{ workflow: 'shipment', messages: 3, waitingSeconds: 300 }],
        parked: [{ workflow: 'order', reactions: 1, messages: 0 }],
        rejected: [{ workflow: 'order', messages: 1 }],
      }),
    });
    expect(evaluateScanlessAlerts(null, now).map(({ id }) => id)).toEqual([
      'log-stalled',
      'connections-short',
      'worker-stale',
      'messages-unserved',
      'workflows-parked',
      'messages-rejected',
    ]);
    expect(evaluateScanlessAlerts(null, sampleScanless())).toEqual([]);
  });
});

describe('rejected messages', () => {
  it('are an alert from the number on that is configured', () => {
    const of = (messages: number) => withWorkflows({ rejected: [{ workflow: 'order', messages }] });
    const thresholds = { ...DEFAULT_THRESHOLDS, rejectedMessagesPerHour: 5 };
    expect(evaluateAlerts(null, of(5), thresholds)).toEqual([]);
    const [alert] = evaluateAlerts(null, of(6), thresholds);
    expect(alert!.what).toBe('Of order, 6 messages were rejected in the last hour.');
  });
});

describe('a hook that waits', () => {
  const alertOf = (hook: WaitingHook) => evaluateAlerts(null, sampleSnapshot({ hooks: [hook] }))[0]!;

  it('for a host that no longer exists names the command for another one', () => {
    const { what, advice } = alertOf(waitingHook(7300));
    expect(what).toContain('on pier-9, where no worker is running: export /srv/out.');
    expect(advice).toContain('seine hooks run 12 --on-this-host');
  });

  it('although a worker could run it describes where to look', () => {
    const { what, advice } = alertOf(waitingHook(7300, { place: null, hasWorker: true }));
    expect(what).not.toContain('no worker');
    expect(advice).toContain('seine hooks list 12');
  });
});

describe('a shard without progress', () => {
  const still = (stillSeconds: number, workerStillSeconds: number | null) =>
    ids(sampleSnapshot({ stillest: [sampleShard(1, { stillSeconds, workerStillSeconds })] }));

  it('may be one huge object that its worker gets on with, for a while', () => {
    expect(still(400, 1)).toEqual([]);
    expect(still(2000, 1)).toEqual(['shard-without-progress']);
  });

  it('needs no worker in the registry to be noticed', () => {
    expect(still(400, null)).toEqual(['shard-without-progress']);
  });

  it('of a paused scan is no wonder', () => {
    const stillest = [sampleShard(1, { stillSeconds: 4000, workerStillSeconds: 4000 })];
    expect(ids(sampleSnapshot({ stillest, scan: { ...calm.scan, paused: true } }))).toEqual([]);
  });
});

describe('a flapping leader', () => {
  const term = (n: number) => ({ ...calm.leader!, term: n });

  it('shows in the terms between two snapshots', () => {
    expect(ids(sampleSnapshot({ leader: term(8) }), ago(300))).toEqual(['leader-flapping']);
    expect(ids(sampleSnapshot({ leader: term(7) }), ago(300))).toEqual([]);
  });

  it('may change as often again in the next hour', () => {
    expect(ids(sampleSnapshot({ leader: term(10) }), ago(7200))).toEqual([]);
    expect(ids(sampleSnapshot({ leader: term(11) }), ago(7200))).toEqual(['leader-flapping']);
  });

  it('cannot be determined from one snapshot', () => {
    expect(ids(sampleSnapshot({ leader: term(99) }))).toEqual([]);
  });
});

describe('no worker', () => {
  const waiting = { ...calm.shards, waiting: 5, held: 0 };

  it('is critical also when those there are take nothing for a minute', () => {
    const [alert] = evaluateAlerts(ago(60, { shards: waiting }), sampleSnapshot({ shards: waiting }));
    expect(alert).toMatchObject({ id: 'no-worker', severity: 'critical' });
    expect(alert!.what).toBe('5 shards pending, and none of 3 workers claims one.');
  });

  it('is not active when there was progress, or when all wait for a back-off', () => {
    const less = { ...calm.done, objects: 1 };
    expect(ids(sampleSnapshot({ shards: waiting }), ago(60, { shards: waiting, done: less }))).toEqual([]);
    const delayed = { ...waiting, delayed: 5 };
    expect(ids(sampleSnapshot({ shards: delayed }), ago(60, { shards: delayed }))).toEqual([]);
  });

  it('reports when no worker runs on the host of the source', () => {
    const scan = { ...calm.scan, place: 'pier/mnt' };
    const [alert] = evaluateAlerts(ago(60, { shards: waiting }), sampleSnapshot({ shards: waiting, scan }));
    expect(alert!.what).toContain('no worker on the host that has the folder');
  });

  it('is critical before the first shard and after the last one, too', () => {
    const workers = sampleWorkers([]);
    const none = { ...calm.shards, waiting: 0, held: 0, done: 0, failed: 0 };
    expect(ids(sampleSnapshot({ workers, shards: none }))).toEqual(['no-worker']);
    const scan = { ...calm.scan, status: 'finalizing' as const };
    const ended = { ...none, done: 9 };
    expect(ids(sampleSnapshot({ workers, scan, shards: ended }))).toEqual(['no-worker']);
  });

  it('is not active while the last workers drain and hold all the remaining shards', () => {
    const list = [sampleWorker(1, { draining: true })];
    const shards = { ...calm.shards, waiting: 0, held: 1 };
    expect(ids(sampleSnapshot({ shards, workers: sampleWorkers(list) }))).toEqual([]);
  });
});
