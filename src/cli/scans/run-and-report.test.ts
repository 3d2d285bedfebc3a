import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { readConfig } from '../../config.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { runAndReport } from './run-and-report.ts';
import type { runScanSession } from './scan-session.ts';

const config = readConfig({}, {});
const flags = { output: [], failOn: [] };
const app = { close: async () => {} } as App;
const scan = { id: 7, status: 'interrupted' } as ScanRow;
const gone = new SeineError('unavailable', 'The share is gone.');
const STARTING = {
  phase: 'starting',
  objects: 0,
  bytes: 0,
  findings: 0,
  totalBytes: null,
  totalObjects: null,
  totalIsFinal: false,
} as const;

let said: string;
beforeEach(() => {
  said = '';
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  terminal.on('data', (chunk) => {
    said += chunk;
  });
  vi.spyOn(process, 'stderr', 'get').mockReturnValue(terminal as unknown as typeof process.stderr);
  vi.stubEnv('SEINE_CALLED', './seine');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('working on a scan', () => {
  it('that is interrupted says how to go on, as it was called', async () => {
    const session = async () => ({ app, scan, interrupted: true, stopRequested: true });
    expect(await runAndReport(config, { ...flags, data: 'my data' }, async () => scan, session)).toBe(1);
    expect(said).toContain("Resume with: ./seine resume 7 --data 'my data'\n");
  });

  it('that breaks off by an error says how to go on, and the error is passed on', async () => {
    const session: typeof runScanSession = async (_config, begin) => {
      await begin(app, {} as Jobs);
      throw gone;
    };
    await expect(runAndReport(config, { ...flags, data: 'd' }, async () => scan, session)).rejects.toBe(gone);
    expect(said).toContain('Resume with: ./seine resume 7 --data d\n');
  });

  it('that never began leaves nothing on the terminal before its error', async () => {
    const session: typeof runScanSession = async (_config, begin, { progress }) => {
      progress.update(STARTING);
      await begin(app, {} as Jobs);
      throw new Error('unreachable');
    };
    await expect(runAndReport(config, flags, () => Promise.reject(gone), session)).rejects.toBe(gone);
    expect(said).toContain('starting');
    expect(said.endsWith('\r\x1b[2K')).toBe(true);
  });

  it('is not begun when an output could not be written', async () => {
    const session = vi.fn<typeof runScanSession>();
    const output = ['/nowhere/at-all/report.html'];
    await expect(runAndReport(config, { ...flags, output }, async () => scan, session)).rejects.toMatchObject(
      {
        kind: 'usage',
        message: expect.stringContaining('its folder does not exist'),
      },
    );
    expect(session).not.toHaveBeenCalled();
  });
});
