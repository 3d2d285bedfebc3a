import { describe, expect, it } from 'vitest';
import type { ShardSummary } from '../../../scans/monitor/shard-summaries.ts';
import type { WorkerSummary } from '../../../scans/monitor/worker-summaries.ts';
import { age } from './age.ts';
import { shardTable, workerTable } from './tables.ts';

const style = { color: false, width: 80, unicode: true };

const shard: ShardSummary = {
  shard: 7,
  kind: 'range',
  state: 'done',
  after: '',
  cursor: 'm/9',
  upTo: 'm/9',
  listed: 12_000,
  bytesRead: 5e9,
  attempts: 0,
  claims: 1,
  parent: null,
  worker: null,
  host: null,
  pid: null,
  expired: false,
  stillSeconds: 3,
  error: null,
};

const worker: WorkerSummary = {
  id: '3f2a9c1e-0000-4000-8000-000000000000',
  host: 'pier-1',
  pid: 4101,
  version: '0.1.0',
  threads: 8,
  hands: 2,
  draining: false,
  stale: false,
  leads: true,
  holding: 2,
  scans: [12],
  startedSeconds: 101,
  seenSeconds: 1,
  progressSeconds: 1,
  objects: 5000,
  bytes: 3e9,
  findings: 4,
  waitedSeconds: 50,
  refused: 0,
};

describe('tables', () => {
  it('of shards show range, cursor, tries, holder and error', () => {
    const held = {
      ...shard,
      shard: 8,
      state: 'held',
      after: 'm/9',
      upTo: null,
      cursor: 'm/9',
      worker: worker.id,
    } as const;
    const lines = [
      shard,
      { ...held, host: 'pier-1', pid: 4101, attempts: 2, claims: 3 },
      { ...held, shard: 9, expired: true },
      { ...shard, shard: 10, kind: 'retry', state: 'failed', error: 'denied\nby the \x1b[31mstore' } as const,
    ];
    expect(`\n${shardTable(lines, style)}`).toMatchInlineSnapshot(`
      "
      SHARD  STATE       AFTER           UP TO    CURSOR  LISTED   TRIES  WORKER           ERROR
          7  done        the start       m/9      m/9     12,000  0 of 1
          8  held        m/9             the end          12,000  2 of 3  pier-1:4101
          9  held, lost  m/9             the end          12,000  0 of 1  3f2a9c1e (gone)
         10  failed      object retries           m/9     12,000  0 of 1                   denied\\x0aby the \\x1b[31mstore
      "
    `);
  });

  it('of workers show averages and stale workers', () => {
    const lines = [
      { ...worker, stale: true, leads: false, seenSeconds: 7300, startedSeconds: 9000, scans: [] },
      worker,
      { ...worker, pid: 4102, leads: false, draining: true, scans: [12, 13] },
      { ...worker, pid: 4103, leads: false, holding: 0, scans: [], objects: 0, bytes: 0, waitedSeconds: 0 },
    ];
    expect(`\n${workerTable(lines, style)}`).toMatchInlineSnapshot(`
      "
      ID        WORKER       STATE            SEEN  HOLDS              OBJECTS     BYTES  WAITS  THREADS  VERSION
      3f2a9c1e  pier-1:4101  STALE             2 h  2                    2.9/s  1.8 MB/s    1 %        8  0.1.0
      3f2a9c1e  pier-1:4101  working, leader   1 s  2 of scan 12          50/s   30 MB/s   25 %        8  0.1.0
      3f2a9c1e  pier-1:4102  draining          1 s  2 of scans 12, 13     50/s   30 MB/s   25 %        8  0.1.0
      3f2a9c1e  pier-1:4103  idle              1 s                       0.0/s     0 B/s    0 %        8  0.1.0
      "
    `);
  });
});

describe('an age', () => {
  it.each([
    [-0.4, '0 s'],
    [89, '89 s'],
    [91, '2 min'],
    [5399, '90 min'],
    [7300, '2 h'],
    [200_000, '2 d'],
  ])('of %d seconds is %s', (seconds, shown) => {
    expect(age(seconds)).toBe(shown);
  });
});
