import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SeineError } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { DEFAULT_RULES } from '../governance/rule-set.ts';
import { UNLIMITED_GATE } from '../sources/request-gate.ts';
import type { DetectionPool } from './detect/pool.ts';
import { WHOLE_SCOPE } from './lifecycle/scope.ts';
import { OpenScanContexts, type ScanContextDeps } from './scan-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-context-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row = {
  id: 1,
  source: folder,
  scope: WHOLE_SCOPE,
  ruleSet: DEFAULT_RULES,
  maxFindingsPerType: 10,
  base: null,
  object: null,
  initialState: null,
};
const db = { query: async () => ({ rows: [row], rowCount: 1 }) } as unknown as Database;
const pool = { fault: null, openQueue: () => ({}), closeQueue() {} } as unknown as DetectionPool;

/** A scan whose budget is exhausted when the test decides. */
async function spendingScan(onBudgetExhausted: ScanContextDeps['onBudgetExhausted'], close = async () => {}) {
  let spend = (_why: string) => {};
  const contexts = new OpenScanContexts({
    db,
    pool,
    secret: Buffer.alloc(32),
    maxRetries: 0,
    settingsFor: () => undefined,
    openGate: async (_scan, _quota, spent) => {
      spend = spent;
      return { gate: UNLIMITED_GATE, budgeted: true, close };
    },
    onBudgetExhausted,
    onIgnored: () => {},
  });
  const context = await contexts.of(1);
  const dropped = new Promise((resolve) => context.stopped.addEventListener('abort', resolve));
  return { contexts, spend: () => spend('The budget is spent.'), dropped };
}

describe('a scan with an exhausted budget', () => {
  it('is paused although the first attempt meets a lock', async () => {
    const tries: string[] = [];
    const { spend, dropped } = await spendingScan(async (_scan, why) => {
      tries.push(why);
      if (tries.length === 1) throw new SeineError('conflict', 'deadlock', { retry: true });
    });
    spend();
    await dropped;
    expect(tries).toEqual(['The budget is spent.', 'The budget is spent.']);
  });

  it('is dropped by this process even if it can not be paused: its shards meet the limit again', async () => {
    const { spend, dropped } = await spendingScan(() => Promise.reject(new Error('no such column')));
    spend();
    await dropped; // without an unhandled rejection, which would end the process
  });
});

describe('dropping a scan', () => {
  it('succeeds although the reservation can not be released: it stays counted', async () => {
    const { contexts, dropped } = await spendingScan(
      async () => {},
      () => Promise.reject(new Error('the database is away')),
    );
    await contexts.drop(1);
    await dropped;
  });
});
