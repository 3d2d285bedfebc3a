import { afterEach, describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import type { Inspection } from '../inspection.ts';
import { DetectionPool } from './pool.ts';

const file = new URL('../../../test/support/fragile-thread.mjs', import.meta.url);
const setup = { target: 'any', rules: DEFAULT_RULES, secret: Buffer.alloc(32), keepEach: 10 };
let pool: DetectionPool;
afterEach(() => pool.stop());

function inspectAll(names: readonly string[]): Promise<Map<string, Inspection>> {
  const seen = new Map<string, Inspection>();
  return new Promise((resolve) => {
    for (const name of names) {
      pool.submit({ key: keyOf(name), size: 10, modified: null, identity: '' }, (inspection) => {
        seen.set(name, inspection);
        if (seen.size === names.length) resolve(seen);
      });
    }
    pool.flush();
  });
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `file ${i}`);

describe('the detection pool', () => {
  it('answers for every object, whatever the number of threads', async () => {
    pool = new DetectionPool(3, setup, { file });
    expect((await inspectAll(names(1000))).size).toBe(1000);
  });

  it('survives an object that crashes its thread: that one is dead, all others are scanned', async () => {
    pool = new DetectionPool(2, setup, { file });
    const seen = await inspectAll([...names(100), 'crash here', ...names(200).slice(100)]);
    expect(seen.get('crash here')).toMatchObject({
      outcome: 'dead',
      reason: 'crashed detection: out of memory',
      stable: false,
    });
    expect([...seen.values()].filter((inspection) => inspection.outcome === 'scanned')).toHaveLength(200);
  });

  it('ends a thread that makes no progress, and blames the object it was at', async () => {
    pool = new DetectionPool(1, setup, { file, stallMs: 100 });
    const seen = await inspectAll([...names(5), 'hang on']);
    expect(seen.get('hang on')).toMatchObject({ outcome: 'dead', reason: 'detection made no progress' });
    expect(seen.get('file 4')).toMatchObject({ outcome: 'scanned' });
  });

  it('makes callers wait when it is full, and lets them go on', async () => {
    pool = new DetectionPool(1, setup, { file });
    let done = 0;
    let waited = 0;
    for (const name of names(2000)) {
      pool.submit({ key: keyOf(name), size: 1, modified: null, identity: '' }, () => done++);
      if (!pool.full) continue;
      waited++;
      await pool.room(new AbortController().signal);
    }
    expect(waited).toBeGreaterThan(0);
    while (done < 2000) {
      pool.flush();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  it('begins nothing new while much is unwritten, unless what comes first waits here', async () => {
    pool = new DetectionPool(1, setup, { file });
    await pool.ready();
    pool.found(30_000);
    let done = 0;
    for (const name of names(3))
      pool.submit({ key: keyOf(name), size: 1 << 20, modified: null, identity: '' }, () => done++);
    pool.flush();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).toBe(0);
    pool.push();
    while (done === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(done).toBe(1);
    pool.wrote(30_000);
    while (done < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('says so when threads cannot even start', async () => {
    pool = new DetectionPool(1, { ...setup, target: 'broken' }, { file });
    pool.submit({ key: keyOf('x'), size: 1, modified: null, identity: '' }, () => {});
    while (!pool.fault) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(pool.fault.message).toContain('a module is missing');
  });
});
