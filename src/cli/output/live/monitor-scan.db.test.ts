import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../../../test/support/database.ts';
import { heldUpWorkflows } from '../../../../test/support/held-up.ts';
import { parseLines } from '../../../../test/support/results.ts';
import type { App } from '../../../app.ts';
import { readConfig } from '../../../config.ts';
import type { Database } from '../../../db/database.ts';
import { endScanAs, runningScan } from '../../../scans/monitor/running-scan.fixture.ts';
import { EXIT } from '../../exit-code.ts';
import { type MonitorFlags, monitorScan } from './monitor-scan.ts';

let db: Database & { url: string };
let release: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), 'seine-monitor-'));
beforeAll(async () => {
  db = await freshDatabase();
  release = await heldUpWorkflows(db, db.url);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await release();
  await db.close();
  rmSync(folder, { recursive: true });
});

async function monitor(flags: MonitorFlags, said = (_: string) => {}) {
  const config = readConfig({ config: '/dev/null' }, {});
  const app: App = { config, db, secret: Buffer.alloc(32), close: async () => {} };
  let stdout = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    said(stdout);
    return true;
  });
  return { code: await monitorScan(app, undefined, flags), stdout };
}

const ALERTS = expect.arrayContaining(
  ['log-stalled', 'messages-unserved', 'workflows-parked', 'messages-rejected'].map((id) =>
    expect.objectContaining({ id }),
  ),
);

describe('the monitor without a scan', () => {
  it('shows the runners and the alerts of workflows', async () => {
    const { code, stdout } = await monitor({ details: true });
    expect(code).toBe(EXIT.done);
    expect(stdout).toMatch(/^No scans yet\.\n\n0 workers/);
    expect(stdout).toMatch(/^2 runners.* 1 stale$/m);
    expect(stdout).toMatch(/^gone:1 .*stale 2 min.* order$/m);
    expect(stdout).toContain('critical: Events of order cannot be read');
    expect(stdout).toContain('warning: 1 message waits for the workflow mistyped');
  });

  it('exits with 3 for alerts, and has them and the runners as JSON, also in a file', async () => {
    const told = await monitor({ alerts: true });
    expect(told.code).toBe(EXIT.findings);
    expect(told.stdout).toContain('Of order, 1 message was rejected in the last hour.');
    expect(JSON.parse((await monitor({ alerts: true, json: true })).stdout)).toEqual(ALERTS);
    const file = join(folder, 'once.json');
    const snapshot = JSON.parse((await monitor({ json: true, export: file })).stdout);
    expect(snapshot).toMatchObject({ scan: null, alerts: ALERTS, workflows: { runners: { total: 2 } } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ scan: null, alerts: ALERTS });
  });

  it('follows what there is, and the first scan when it comes', async () => {
    const file = join(folder, 'live.json');
    let begun: Promise<void> | null = null;
    const begin = async () => {
      const scan = await runningScan(db);
      await endScanAs(db, scan, 'completed');
    };
    const { code, stdout } = await monitor({ live: true, export: file }, () => {
      begun ??= begin();
    });
    await begun;
    expect(code).toBe(EXIT.done);
    expect(stdout).toContain('seine: critical: Events of order cannot be read');
    expect(stdout).toContain('seine: no scans yet, 0 workers, 2 runners\n');
    expect(stdout).toMatch(/seine: scan \d+ completed/);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ scan: { status: 'completed' } });
    await db.query('delete from scan');
  });

  it('follows it as lines of JSON', async () => {
    const leave = (stdout: string) => {
      if (parseLines(stdout).length === 2) process.emit('SIGTERM');
    };
    const { code, stdout } = await monitor({ live: true, json: true }, leave);
    expect(code).toBe(EXIT.done);
    expect(parseLines<object>(stdout)[1]).toMatchObject({ scan: null, alerts: ALERTS });
  });
});
