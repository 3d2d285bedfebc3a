/** Values that PostgreSQL rejects. They must only affect the result of the object that they belong to. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, many, type Tx } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import { retryLetters } from '../dead-letters/retry.ts';
import { retrySource } from '../dead-letters/retry-source.ts';
import { Inspector } from '../detect/inspector.ts';
import type { InspectionQueue } from '../detect/scan-queue.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan, type ScanRow } from '../lifecycle/scan-store.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { findingsOf } from '../results/finding-store.ts';
import { type Inspection, notRead } from '../results/inspection.ts';
import { reasonText } from '../results/reason-code.ts';
import { readLedger, readReport } from '../results/report-store.ts';
import { runShard } from '../run-shard.ts';
import type { ShardContext } from '../shard/shard-context.ts';
import { coverageSums } from '../shard/shard-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
  await db.query(
    `create table poisoned (path text, complete boolean);
     create function refuse_poisoned() returns trigger language plpgsql as $$ begin
       if exists (select from poisoned where path = new.path and (complete or new.outcome <> 'dead')) then
         raise exception 'no' using errcode = '54000';
       end if;
       return new;
     end $$;
     create trigger refuse_poisoned before insert on object_result for each row execute function refuse_poisoned()`,
  );
});
beforeEach(() => db.query('delete from poisoned'));
afterAll(() => db.close());

const never = new AbortController().signal;
const REASON = 'its result could not be stored';
const EXA = 2 ** 60;
let sources = 0;

function people(count: number): MemorySource {
  const contents = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [name(i), `SSN: 219-09-${String(1000 + i)}`]),
  );
  return createMemorySource(contents, { id: `memory:unstorable-${++sources}`, batch: 50 });
}

const name = (i: number) => `team/${String(i).padStart(5, '0')}.txt`;

/** Makes PostgreSQL reject this object's row unless its outcome is dead; `complete`: even then. */
function poison(path: string, complete = false): Promise<unknown> {
  return db.query('insert into poisoned values ($1, $2)', [path, complete]);
}

type Look = (object: SourceObject, inspect: () => Inspection) => Inspection;
const plainly: Look = (_, inspect) => inspect();

/** Every content is small, whatever size the listing reports. */
function inspectors(source: MemorySource, look: Look): InspectionQueue {
  const inspector = new Inspector(source, {
    rules: DEFAULT_RULES,
    secret: Buffer.alloc(32, 7),
    maxFindingsPerType: 100,
  });
  return {
    ...inspectInProcess(source),
    submit: (object, done) =>
      void setImmediate(() => done(look(object, () => inspector.inspectSync({ ...object, size: 0 })!))),
  };
}

interface Ran {
  readonly scan: ScanRow;
  readonly found: readonly string[];
}

async function scanned(source: MemorySource, look = plainly, more: Partial<ShardContext> = {}): Promise<Ran> {
  const id = await plannedScan(db, source);
  const { base } = (await readScan(db, id))!;
  return run(id, source, look, { base, ...more });
}

async function run(id: number, source: MemorySource, look: Look, more: Partial<ShardContext>): Promise<Ran> {
  const { jobs } = recordingJobs(db);
  const held = (await claimLease(db, { kind: SHARD, groupId: id, holder: randomUUID(), ttlMs: 60_000 }))!;
  const queue = inspectors(source, look);
  const whole = Number.POSITIVE_INFINITY;
  const tools = shardDeps(db, source, jobs, { queue, minSegmentedBytes: whole, ...more });
  expect(await runShard(held, tools, never)).toBe('completed');
  await finalizeScan(db, jobs, id);
  const scan = (await readScan(db, id))!;
  const found: string[] = [];
  for await (const { finding } of findingsOf(db, scan)) found.push(finding.key);
  return { scan, found };
}

/** The outcomes in the coverage, which must agree with the listing. */
async function outcomes({ id }: ScanRow): Promise<Record<string, number>> {
  const { listed, ledgered } = await coverageSums(db, id);
  expect(ledgered).toBe(listed);
  return Object.fromEntries(
    (await readLedger(db, id)).map((line) => [`${line.outcome} ${line.reason ?? ''}`.trim(), line.objects]),
  );
}

async function letters({ id }: ScanRow): Promise<object[]> {
  const rows = await many<{ reason: string }>(
    db,
    'select path, reason, state, evidence, attempts from dead_letter where scan_id = $1',
    [id],
  );
  return rows.map((row) => ({ ...row, reason: reasonText(row.reason) }));
}

describe('a number that PostgreSQL cannot hold', () => {
  const odd: Readonly<Record<string, Partial<SourceObject>>> = {
    'a time beyond PostgreSQL': { modified: 99_999_999_999_999_000 },
    'a time beyond JavaScript': { modified: 8.64e15 + 1 },
    'a time before PostgreSQL': { modified: -99_999_999_999_999_000 },
    'a time that is none': { modified: Number.NaN },
    'a size beyond bigint': { size: 2 ** 63 },
    'a size beyond all measure': { size: 1e300 },
    'a size below zero': { size: -1 },
    'a size that is none': { size: Number.NaN },
  };

  it.each(Object.keys(odd))('%s costs no findings, neither of its object nor of others', async (what) => {
    const source = people(20);
    source.put(keyOf(name(7)), 'SSN: 219-09-1007', odd[what]);
    const { scan, found } = await scanned(source);
    expect(scan.status).toBe('completed');
    expect(await outcomes(scan)).toEqual({ scanned: 20 });
    expect(found).toHaveLength(20);
    const report = await readReport(db, scan, { worst: 20 });
    const { size, modified } = report.objects.find(({ key }) => key === keyOf(name(7)))!;
    expect(size).toBeGreaterThanOrEqual(0);
    expect(modified).toBeNull();
    expect(JSON.parse(JSON.stringify(report)).objects).toHaveLength(20);
  });

  it('as the sum of sizes is kept all the same', async () => {
    const source = people(2);
    for (const i of [0, 1]) source.put(keyOf(name(i)), `SSN: 219-09-100${i}`, { size: 6 * EXA });
    const { scan } = await scanned(source);
    expect(await outcomes(scan)).toEqual({ scanned: 2 });
    expect((await readLedger(db, scan.id))[0]!.bytes).toBe(12 * EXA);
  });
});

describe('a result that PostgreSQL refuses', () => {
  const tooLong: Record<string, number> = Object.defineProperty({}, 'toJSON', {
    value: () => {
      throw new RangeError('Invalid string length');
    },
  });

  it('fails the object, and everything else of its checkpoint is written', async () => {
    const source = people(300);
    await poison(name(123));
    const { scan, found } = await scanned(source);
    expect(scan.status).toBe('incomplete');
    expect(await outcomes(scan)).toEqual({ scanned: 299, [`dead ${REASON}`]: 1 });
    expect(found).toHaveLength(299);
    expect(await letters(scan)).toEqual([
      {
        path: name(123),
        reason: REASON,
        state: 'open',
        evidence: { size: 16, error: 'SQLSTATE 54000' },
        attempts: 1,
      },
    ]);
  });

  it.each([
    ['a number out of range', { score: 99_999 }],
    ['a value that no string can hold', { counts: tooLong }],
    ['an outcome that there is not', { outcome: 'odd' as never }],
  ])('because of %s costs one object', async (_, wrong) => {
    const source = people(9);
    const { scan, found } = await scanned(source, (object, inspect) =>
      object.key === keyOf(name(4)) ? { ...inspect(), ...wrong } : inspect(),
    );
    expect(await outcomes(scan)).toEqual({ scanned: 8, [`dead ${REASON}`]: 1 });
    expect(found).toHaveLength(8);
  });

  it('that is rejected even as a failed object is counted in the coverage', async () => {
    const source = people(30);
    await poison(name(0), true);
    await poison(name(29), true);
    const { scan, found } = await scanned(source);
    expect(await outcomes(scan)).toEqual({ scanned: 28, [`dead ${REASON}`]: 2 });
    expect(found).toHaveLength(28);
  });

  it('is inspected again by the next scan, which carries over the others', async () => {
    const source = people(40);
    await poison(name(11));
    await scanned(source);
    await db.query('delete from poisoned');
    const read: string[] = [];
    const { scan, found } = await scanned(source, (object, inspect) => {
      read.push(object.key);
      return inspect();
    });
    expect(read).toEqual([keyOf(name(11))]);
    expect(await outcomes(scan)).toEqual({ scanned: 1, unchanged: 39 });
    expect(found).toHaveLength(40);
  });

  it('that is carried over is a failed object of the later scan', async () => {
    const source = people(40);
    await scanned(source);
    await poison(name(11));
    const { scan, found } = await scanned(source);
    expect(await outcomes(scan)).toEqual({ unchanged: 39, [`dead ${REASON}`]: 1 });
    expect(found).toHaveLength(39);
  });

  it('in a retry keeps the object failed, until a retry can be written', async () => {
    const source = people(12);
    const dead: Look = (object, inspect) =>
      object.key === keyOf(name(5)) ? notRead('dead', 'crashed detection', false) : inspect();
    const { scan } = await scanned(source, dead);
    expect(await outcomes(scan)).toEqual({ scanned: 11, 'dead crashed detection': 1 });
    const { jobs } = recordingJobs(db);
    const again = async () => {
      await retryLetters(db, jobs, { tenant: 'default', scan: scan.id });
      const more = { source: retrySource(source, [keyOf(name(5))]), retrying: true };
      return outcomes((await run(scan.id, source, plainly, more)).scan);
    };
    await poison(name(5));
    expect(await again()).toEqual({ scanned: 11, [`dead ${REASON}`]: 1 });
    expect(await letters(scan)).toMatchObject([{ reason: REASON, state: 'open', attempts: 2 }]);
    await db.query('delete from poisoned');
    expect(await again()).toEqual({ scanned: 12 });
    expect(await letters(scan)).toMatchObject([{ state: 'resolved' }]);
  });
});

describe('writing objects one by one', () => {
  /** Records the statements of all transactions; `fail` may throw instead of executing one. */
  function watched(fail: (sql: string) => void = () => {}): { statements: string[]; db: Database } {
    const statements: string[] = [];
    const tx: Database['tx'] = (work) =>
      db.tx((inner) =>
        work({
          transaction: true,
          query(sql, ...more) {
            statements.push(sql);
            fail(sql);
            return inner.query(sql, ...more);
          },
        } satisfies Tx),
      );
    return { statements, db: { ...db, tx } };
  }

  it('is not done while PostgreSQL takes everything', async () => {
    const { statements, db: spied } = watched();
    await scanned(people(120), plainly, { db: spied });
    expect(statements.some((sql) => sql.includes('insert into finding'))).toBe(true);
    expect(statements.filter((sql) => sql.includes('savepoint'))).toEqual([]);
  });

  it('waits for a database that is away meanwhile, and writes everything once', async () => {
    let outages = 0;
    const { db: shaky } = watched((sql) => {
      if (sql.startsWith('rollback to savepoint') && outages++ < 3)
        throw new SeineError('unavailable', 'The database cannot be reached.');
    });
    await poison(name(33));
    const { scan, found } = await scanned(people(60), plainly, { db: shaky });
    expect(outages).toBeGreaterThan(3);
    expect(await outcomes(scan)).toEqual({ scanned: 59, [`dead ${REASON}`]: 1 });
    expect(found).toHaveLength(59);
  });

  it('is no answer to a fault of the statement itself', async () => {
    const { statements, db: faulty } = watched((sql) => {
      if (sql.includes('insert into finding'))
        throw Object.assign(new Error('no such column'), { code: '42703' });
    });
    await expect(scanned(people(10), plainly, { db: faulty })).rejects.toThrow('no such column');
    expect(statements.filter((sql) => sql.includes('savepoint'))).toEqual([]);
  });
});
