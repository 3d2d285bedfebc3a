import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateAlerts } from '../../../scans/monitor/alerts.ts';
import {
  sampleRunner,
  sampleScanless,
  sampleShard,
  sampleSnapshot,
  sampleWorker,
  sampleWorkers,
  sampleWorkflows,
} from '../../../scans/monitor/snapshot.fixture.ts';
import type { Snapshot } from '../../../scans/monitor/snapshot.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { widthOf } from '../text-width.ts';
import { renderFrame, renderPage, type Size } from './frame.ts';

const style: TerminalStyle = { color: false, width: 80, unicode: true };
const plain: TerminalStyle = { ...style, unicode: false };
const calm = sampleSnapshot();

/** 200 workers in all states, dead letters, stalled shards, few connections left. */
const busy = sampleSnapshot({
  workers: sampleWorkers(
    Array.from({ length: 50 }, (_, n) =>
      sampleWorker(n % 9, {
        pid: 1000 + n,
        ...[
          { stale: true, seenSeconds: 75 },
          { waiting: 0.72 },
          { draining: true },
          { holding: 0, holds: [] },
          { holding: 3, progressSeconds: 400 },
          { holds: [sampleShard(1, { kind: 'retry' })] },
        ][n],
      }),
    ),
    { total: 200, holding: 196, refused: 2 },
  ),
  shards: { ...calm.shards, cancelled: 3, expired: 2, delayed: 4 },
  stillest: [sampleShard(4, { stillSeconds: 400, workerStillSeconds: 400 })],
  deadLetters: {
    total: 47,
    lastMinute: 12,
    signatures: [
      { signature: 'timeout while reading', count: 30 },
      { signature: 'archive is a bomb', count: 17 },
    ],
  },
  connections: { used: 93, most: 97 },
});

const happened = [
  { version: 1, type: 'requested', data: { source: 's3:harbour-archive/exports' }, secondsAgo: 2520 },
  { version: 2, type: 'planned', data: { cuts: 7, objects: 36_000.4 }, secondsAgo: 2460 },
  { version: 30, type: 'split', data: { shard: 804, into: [812, 813] }, secondsAgo: 130 },
  { version: 31, type: 'shardCompleted', data: { shard: 811, listed: 1204 }, secondsAgo: 12 },
  { version: 32, type: 'interrupted', data: { why: 'the budget of 40 dollars is spent' }, secondsAgo: 3 },
];

function frame(snapshot: Snapshot, size: Size, as = style): string {
  const lines = renderFrame(snapshot, evaluateAlerts(null, snapshot), 'q quits', size, as);
  return lines.map((line) => `|${line.trimEnd()}`).join('\n');
}

describe('the screen', () => {
  it('of a calm scan at 80x24', () => {
    expect(frame(calm, { columns: 80, rows: 24 })).toMatchInlineSnapshot(`
      "|scan 12  s3:harbour-archive/exports                         running · 4 min 12 s
      |━━━━━━━━━━━━━━━━─────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 30 to 38 %, 2–5 min left
      |12,345 of ~36,000 objects · 1.2 GB of ~3.6 GB · 1,204 objects/s · 12 MB/s
      |12,000 scanned · 300 unchanged · 40 partial · 4 skipped · 1 dead
      |
      |shards  ██████████████████████████████████████████████████████████▓░░░░░░░░░░░░!
      |        █ done 812  ▓ held 8  ░ waiting 180  ! failed 1
      |14 splits · 3 retries
      |
      |3 workers · 3 working · leader pier-1:4101, 2 h · database 34/97
      |● pier-1:4101 export…rders-17.csv → exports/2022/    401/s  4.0MB/s
      |● pier-2:4102 export…rders-17.csv → exports/2023/    402/s  4.0MB/s
      |● pier-3:4103 export…rders-17.csv → exports/2024/    403/s  4.0MB/s
      |
      |
      |
      |
      |
      |
      |
      |
      |
      |
      |q quits"
    `);
  });

  it('shows recent events where there is room', () => {
    const told = sampleSnapshot({ events: happened });
    expect(frame(told, { columns: 70, rows: 22 }).split('\n').slice(13)).toEqual([
      '|',
      '|recent  42 min  requested',
      '|        41 min  planned: about 36,000 objects, 7 split points',
      '|        2 min   shard 804 split: 2 new shards',
      '|        12 s    shard 811 completed, 1,204 objects',
      '|        3 s     interrupted: the budget of 40 dollars is spent',
      '|',
      '|',
      '|q quits',
    ]);
    const low = frame(told, { columns: 70, rows: 14 }).split('\n');
    expect(low.slice(-3)).toEqual([
      '|recent  12 s    shard 811 completed, 1,204 objects',
      '|        3 s     interrupted: the budget of 40 dollars is spent',
      '|q quits',
    ]);
    expect(frame(told, { columns: 70, rows: 12 })).not.toContain('recent');
  });

  it('of 200 workers with alerts at 80x24', () => {
    expect(frame(busy, { columns: 80, rows: 24 })).toMatchInlineSnapshot(`
      "|scan 12  s3:harbour-archive/exports                         running · 4 min 12 s
      |━━━━━━━━━━━━━━━━─────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 30 to 38 %, 2–5 min left
      |12,345 of ~36,000 objects · 1.2 GB of ~3.6 GB · 1,204 objects/s · 12 MB/s
      |12,000 scanned · 300 unchanged · 40 partial · 4 skipped · 1 dead
      |
      |shards  █████████████████████████████████████████████████████████▓░░░░░░░░░░░░-!
      |        █ done 812  ▓ held 8  ░ waiting 180  - cancelled 3  ! failed 1
      |14 splits · 3 retries · 2 lost · 4 backing off · 2 fenced checkpoints
      |47 dead letters: timeout while reading (30), archive is a bomb (17)
      |
      |200 workers · 196 working · 1 draining · 1 stale · leader pier-1:4101, 2 h · da…
      |✗ pier-0:1000 export…rders-17.csv → exports/2021/    400/s  4.0MB/s  stale 75 s
      |◐ pier-1:1001 export…rders-17.csv → exports/2022/    401/s  4.0MB/s  waits 72 %
      |↓ pier-2:1002 export…rders-17.csv → exports/2023/    402/s  4.0MB/s  draining
      |○ pier-3:1003                                        403/s  4.0MB/s  idle
      |… and 196 more
      |
      |▲ critical: The database has 93 of 97 connections in use.
      |  Give each worker a smaller pool, or raise max_connections of the server.
      |▲ warning: 1 worker has missed heartbeats for up to 75 s: pier-0:1000.
      |  Other workers take over their shards. Check process, network and memory on
      |  those machines, and restart the workers.
      |2 more alerts, most severe: shard-without-progress (--alerts shows all)
      |q quits"
    `);
  });

  it('of the same on a large one', () => {
    expect(frame(busy, { columns: 110, rows: 34 })).toMatchInlineSnapshot(`
      "|scan 12  s3:harbour-archive/exports                                                       running · 4 min 12 s
      |━━━━━━━━━━━━━━━━━━─────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 30 to 38 %, 2–5 min left
      |12,345 of ~36,000 objects · 1.2 GB of ~3.6 GB · 1,204 objects/s · 12 MB/s
      |12,000 scanned · 300 unchanged · 40 partial · 4 skipped · 1 dead
      |
      |shards  ████████████████████████████████████████████████████████████████████████████████▓░░░░░░░░░░░░░░░░░-!
      |        █ done 812  ▓ held 8  ░ waiting 180  - cancelled 3  ! failed 1
      |14 splits · 3 retries · 2 lost · 4 backing off · 2 fenced checkpoints
      |47 dead letters: timeout while reading (30), archive is a bomb (17)
      |
      |200 workers · 196 working · 1 draining · 1 stale · leader pier-1:4101, 2 h · database 93/97
      |✗ pier-0:1000 exports/2020/04/orders-17.csv → exports/2021/                        400/s  4.0MB/s  stale 75 s
      |◐ pier-1:1001 exports/2021/04/orders-17.csv → exports/2022/                        401/s  4.0MB/s  waits 72 %
      |↓ pier-2:1002 exports/2022/04/orders-17.csv → exports/2023/                        402/s  4.0MB/s  draining
      |○ pier-3:1003                                                                      403/s  4.0MB/s  idle
      |◌ pier-4:1004 exports/2024/04/orders-17.csv → exports/2025/ +2                     404/s  4.0MB/s  stall 7 min
      |● pier-5:1005 object retries                                                       405/s  4.0MB/s
      |● pier-6:1006 exports/2026/04/orders-17.csv → exports/2027/                        406/s  4.0MB/s
      |● pier-7:1007 exports/2027/04/orders-17.csv → exports/2028/                        407/s  4.0MB/s
      |● pier-8:1008 exports/2028/04/orders-17.csv → exports/2029/                        408/s  4.0MB/s
      |● pier-0:1009 exports/2020/04/orders-17.csv → exports/2021/                        400/s  4.0MB/s
      |… and 190 more
      |
      |▲ critical: The database has 93 of 97 connections in use.
      |  Give each worker a smaller pool, or raise max_connections of the server.
      |▲ warning: 1 worker has missed heartbeats for up to 75 s: pier-0:1000.
      |  Other workers take over their shards. Check process, network and memory on those machines, and restart the
      |  workers.
      |▲ warning: 1 held shard has made no progress for up to 7 min: shard 804 after "exports/2024/04/orders-17.csv".
      |  Check whether the source responds at that key. If the worker is stopped, another one resumes the shard at
      |  its cursor.
      |▲ warning: 12 dead letters in the last minute, 47 in total, mostly "timeout while reading".
      |  Fix their common cause, then retry them.
      |q quits"
    `);
  });

  it('in a small window, with no more than ASCII', () => {
    const small = frame(busy, { columns: 46, rows: 14 }, plain);
    expect(small).toMatchInlineSnapshot(`
      "|scan 12  s3:h...e/exports  running, 4 min 12 s
      |======~~------------- 30 to 38 %, 2-5 min left
      |12,345 of ~36,000 objects, 1.2 GB of ~3.6 GB,
      |12,000 scanned, 300 unchanged, 40 partial, ...
      |shards  #############################>......-!
      |        # done 812  > held 8  . waiting 180  -
      |14 splits, 3 retries, 2 lost, 4 backing off, .
      |47 dead letters: timeout while reading (30)...
      |200 workers, 196 working, 1 draining, 1 stale.
      |! pier-0:1000 e....csv > e...021/  stale 75 s
      |~ pier-1:1001 e....csv > e...022/  waits 72 %
      |... and 198 more
      |4 alerts, most severe: connections-short (-...
      |q quits"
    `);
    expect(small).toMatch(/^[\n -~]*$/);
  });

  it('of a scan of unknown size that exhausted its budget', () => {
    const unknown = sampleSnapshot({
      estimate: null,
      eta: null,
      scan: { ...calm.scan, round: 1, paused: true, error: 'the budget of 40 dollars is spent' },
      shards: { ...calm.shards, waiting: 0, held: 0, done: 0, failed: 0 },
      workers: sampleWorkers([]),
      leader: null,
      budget: [
        { what: 'cost', spent: 40.2, limit: 40, currency: '$', met: true },
        { what: 'requests', spent: 1_200_000, limit: 2_000_000, currency: '$', met: false },
      ],
    });
    expect(frame(unknown, { columns: 80, rows: 13 })).toMatchInlineSnapshot(`
      "|scan 12  s3:harbour-archive/exports                round 2 · paused · 4 min 12 s
      |total unknown, time left unknown
      |12,345 objects · 1.2 GB · 1,204 objects/s · 12 MB/s
      |12,000 scanned · 300 unchanged · 40 partial · 4 skipped · 1 dead
      |budget  $40.20 of $40.00 · 1,200,000 of 2,000,000 requests
      |the budget of 40 dollars is spent
      |shards  none yet
      |14 splits · 3 retries
      |0 workers · no leader · database 34/97
      |
      |
      |
      |q quits"
    `);
  });
});

describe('any screen', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  const worker = fc
    .record({
      host: text,
      waiting: fc.double({ min: 0, max: 1, noNaN: true }),
      stale: fc.boolean(),
      draining: fc.boolean(),
      holding: fc.nat(9),
      objectsPerSecond: fc.nat(1e9),
      bytesPerSecond: fc.nat(),
      holds: text.map((cursor) => [sampleShard(1, { cursor, upTo: cursor })]),
    })
    .map((change) => sampleWorker(1, change));
  const count = fc.nat(100_000);
  const shards = fc.record({
    waiting: count,
    held: count,
    done: count,
    failed: count,
    cancelled: count,
    delayed: count,
    expired: count,
    splits: count,
    retries: count,
  });
  const events = fc.array(
    fc.record({
      version: fc.nat(),
      type: fc.constantFrom('shardFailed', 'paused', 'shardCompleted', 'of a later version'),
      data: fc.record({ cause: text, why: text }),
      secondsAgo: fc.nat(),
    }),
    { maxLength: 5 },
  );
  const snapshot = fc
    .record({ list: fc.array(worker, { maxLength: 12 }), shards, total: fc.nat(400), source: text, events })
    .map(({ list, shards, total, source, events }) =>
      sampleSnapshot({
        shards,
        events,
        scan: { ...calm.scan, source },
        workers: sampleWorkers(list, { total: Math.max(total, list.length) }),
      }),
    );
  const size = fc.record({
    columns: fc.integer({ min: 1, max: 200 }),
    rows: fc.integer({ min: 1, max: 60 }),
  });

  it('fills the window exactly and is never wider than it', () => {
    const property = fc.property(snapshot, size, fc.boolean(), fc.boolean(), (now, size, color, unicode) => {
      const lines = renderFrame(now, evaluateAlerts(null, now), 'q quits', size, {
        color,
        unicode,
        width: 80,
      });
      expect(lines).toHaveLength(size.rows);
      for (const line of lines)
        expect(widthOf(stripVTControlCharacters(line))).toBeLessThanOrEqual(size.columns);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('shows every worker or reports how many more there are', () => {
    const property = fc.property(snapshot, fc.integer({ min: 20, max: 60 }), (now, rows) => {
      const lines = renderFrame(now, [], '', { columns: 100, rows }, style);
      const lanes = lines.filter((line) => /^[✗◐↓◌○●] /.test(line)).length;
      const more = Number(/^… and ([\d,]+) more$/m.exec(lines.join('\n'))?.[1]?.replace(',', '') ?? 0);
      expect(lanes + more).toBe(now.workers.total);
    });
    fc.assert(property, { numRuns: 100 });
  });

  it('has the same words with and without colours', () => {
    const size = { columns: 100, rows: 40 };
    const coloured = frame(busy, size, { ...style, color: true });
    expect(coloured).toContain('\x1b[');
    expect(stripVTControlCharacters(coloured)).toBe(frame(busy, size));
  });
});

describe('the page', () => {
  it('shows all alerts, as many worker rows as fit on a screen, and no footer', () => {
    const page = renderPage(busy, evaluateAlerts(null, busy), style);
    expect(page).toContain('critical: The database has 93');
    expect(page).toContain('warning: 12 dead letters');
    expect(page).toContain('… and 189 more\n');
    expect(page.split('\n').every((line) => widthOf(line) <= 80)).toBe(true);
  });

  it('of an ended scan has no gauge and no estimate', () => {
    const ended = sampleSnapshot({ scan: { ...calm.scan, status: 'completed' }, estimate: null, eta: null });
    const page = renderPage(ended, [], style);
    expect(page).toMatch(/completed · 4 min 12 s\n12,345 objects · 1\.2 GB/);
  });

  it('draws no bar where the whole is known too roughly', () => {
    const rough = { ...calm.estimate!, bytes: { low: 1.3e9, likely: 9e9, high: 9e10 } };
    const page = renderPage(sampleSnapshot({ estimate: rough }), [], style);
    expect(page).not.toContain('━');
    expect(page).toContain('1 to 94 %, 2–5 min left');
  });

  it('makes names harmless that would move the cursor', () => {
    const nasty = sampleSnapshot({
      workers: sampleWorkers([sampleWorker(1, { host: 'a\x1b[2Jb' })]),
      deadLetters: { total: 1, lastMinute: 0, signatures: [{ signature: 'x\r\ny', count: 1 }] },
    });
    const page = renderPage(nasty, [], style);
    expect(page).not.toContain('\x1b');
    expect(page).not.toContain('\r');
    expect(page).toContain('a\\x1b[2Jb:4101');
  });
});

describe('without a scan', () => {
  const list = Array.from({ length: 40 }, (_, n) => sampleRunner(n, { stale: n === 0, seenSeconds: 75 }));
  const runners = { total: 200, stale: 1, list };
  const many = sampleScanless({ workflows: sampleWorkflows({ runners }) });

  it.each([
    { columns: 80, rows: 24 },
    { columns: 30, rows: 8 },
    { columns: 10, rows: 2 },
  ])('a frame fills the window and is never wider: $columns x $rows', (size) => {
    const lines = renderFrame(many, [], 'q leaves', size, style);
    expect(lines).toHaveLength(size.rows);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(size.columns);
  });

  it('shows the runners, and counts those for whom there is no room', () => {
    const page = renderPage(many, [], style);
    expect(page).toContain(
      '200 runners · 1 stale\nquay-0:5100 · stale 75 s · 128 parts · 3 actions · order, shipment\n',
    );
    expect(page).toContain('… and 189 more');
  });
});
