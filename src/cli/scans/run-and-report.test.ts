import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import { readConfig } from '../../config.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { runAndReport } from './run-and-report.ts';
import type { openScanSession, ScanSession } from './scan-session.ts';

const config = readConfig({}, {});
const flags = { output: [], failOn: [] };
const app = { close: async () => {} } as App;
const scan = { id: 7, status: 'interrupted' } as ScanRow;
const gone = new SeineError('unavailable', 'The share is gone.');
const run = async () => {};
/** A session of a scan that was interrupted. */
const interruptedSession = {
  app,
  worker: { jobs: {} as Jobs },
  signal: AbortSignal.abort(),
  showProgress: async () => {},
  stopWorker: async () => ({ scan, interrupted: true }),
  close: async () => {},
} as unknown as ScanSession;
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

describe('running a scan', () => {
  it('that is interrupted prints the command that resumes it, as Seine was called', async () => {
    const openSession = async () => interruptedSession;
    const options = { ...flags, data: 'my data' };
    expect(await runAndReport(config, options, async () => scan, { openSession, run })).toBe(1);
    expect(said).toContain("Resume with: ./seine resume 7 --data 'my data'\n");
  });

  it('that fails prints the command that resumes it, and rethrows the error', async () => {
    const openSession = async () => interruptedSession;
    const failing = () => Promise.reject(gone);
    const options = { ...flags, data: 'd' };
    const code = runAndReport(config, options, async () => scan, { openSession, run: failing });
    await expect(code).rejects.toBe(gone);
    expect(said).toContain('Resume with: ./seine resume 7 --data d\n');
  });

  it('that could not be started clears the progress line before the error is printed', async () => {
    const openSession: typeof openScanSession = async (_config, { progress }) => {
      progress.update(STARTING);
      return interruptedSession;
    };
    const code = runAndReport(config, flags, () => Promise.reject(gone), { openSession, run });
    await expect(code).rejects.toBe(gone);
    expect(said).toContain('starting');
    expect(said.endsWith('\r\x1b[2K')).toBe(true);
  });

  it('does not start when an output could not be written', async () => {
    const openSession = vi.fn<typeof openScanSession>();
    const output = ['/nowhere/at-all/report.html'];
    const code = runAndReport(config, { ...flags, output }, async () => scan, { openSession, run });
    await expect(code).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('its folder does not exist'),
    });
    expect(openSession).not.toHaveBeenCalled();
  });
});
