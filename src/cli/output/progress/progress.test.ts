import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TerminalStyle } from '../terminal-style.ts';
import { widthOf } from '../text-width.ts';
import { createProgress, type ProgressState } from './progress.ts';
import { percent, progressLine } from './progress-line.ts';

const style: TerminalStyle = { color: false, width: 100, unicode: true };
const idle = { objectsPerSecond: 0, bytesPerSecond: 0, eta: null };
const scanning: ProgressState = {
  phase: 'scanning',
  objects: 100,
  bytes: 250_000_000,
  findings: 7,
  totalBytes: 1_000_000_000,
  totalObjects: 400,
  totalIsFinal: true,
};
const line = (change: Partial<ProgressState>, tick = 0) =>
  progressLine({ ...scanning, ...change }, idle, style, tick);

describe('the line', () => {
  it('shows how far it is', () => {
    expect(line({})).toBe('━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ scanning · 25 %, 250 MB of 1.0 GB · 7 findings');
  });

  it('reports that the total may grow, and the share shrink', () => {
    expect(line({ totalIsFinal: false })).toContain('at most 25 %, 250 MB of at least 1.0 GB');
  });

  it('reports that a total was only guessed', () => {
    const guessed = { totalIsFinal: false, totalIsEstimated: true };
    expect(line(guessed)).toContain('about 25 %, 250 MB of about 1.0 GB');
    expect(line({ ...guessed, bytes: 1 })).toContain('<1 %');
  });

  it.each([{ totalBytes: 200e6 }, { totalObjects: 90 }, { totalBytes: 250e6 }])(
    'drops an estimate that was too small, instead of stopping at its end',
    (total) => {
      const outgrown = line({ ...total, totalIsFinal: false, totalIsEstimated: true });
      expect(outgrown).toContain('100 objects, 250 MB');
      expect(outgrown).not.toContain('%');
    },
  );

  it('has no share of an unknown total, but counts and something that moves', () => {
    const unknown = { totalBytes: null, totalObjects: null, totalIsFinal: false };
    expect(line(unknown)).toContain('100 objects, 250 MB');
    expect(line(unknown)).not.toContain('%');
    expect(line(unknown, 1)).not.toBe(line(unknown, 2));
  });

  it('counts objects where all are empty', () => {
    expect(line({ totalBytes: 0, bytes: 0 })).toContain('25 %, 100 of 400 objects');
  });

  it('leaves what needs no reading out of both sides', () => {
    expect(line({ unchangedBytes: 500_000_000 })).toContain('50 %, 250 MB of 500 MB');
  });

  it('is never at 0 nor at 100 percent', () => {
    expect(percent(0)).toBe('<1 %');
    expect(percent(0.999_999)).toBe('99 %');
    expect(line({ bytes: 2_000_000_000 })).toContain('99 %');
  });

  it('drops the speed before the time left in a narrow terminal', () => {
    const pace = { objectsPerSecond: 50, bytesPerSecond: 9e6, eta: { shortest: 120, longest: 240 } };
    expect(progressLine(scanning, pace, { ...style, width: 120 }, 0)).toMatch(
      /25 %.* 50 objects\/s · 9\.0 MB\/s · 2–4 min left$/,
    );
    expect(progressLine(scanning, pace, { ...style, width: 62 }, 0)).toMatch(
      /━╌+ 25 %, 250 MB of 1\.0 GB · 2–4 min left$/,
    );
  });

  it('never wraps', () => {
    const number = fc.nat(1e15);
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 160 }),
        number,
        number,
        fc.nat(),
        (width, bytes, total, tick) => {
          const pace = { objectsPerSecond: 12_345, bytesPerSecond: 9e9, eta: { shortest: 9, longest: 9e9 } };
          const text = progressLine(
            { ...scanning, bytes, totalBytes: total },
            pace,
            { ...style, width },
            tick,
          );
          expect(widthOf(text)).toBeLessThan(width);
        },
      ),
    );
  });
});

/** Time that advances on request. */
function stage(isTTY: boolean, quiet = false) {
  let time = 0;
  let tick: (() => void) | null = null;
  const written: string[] = [];
  const stream = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString('utf8'));
        done();
      },
    }),
    { isTTY },
  );
  const every = (ms: number, run: () => void) => {
    expect(ms).toBeLessThanOrEqual(100);
    tick = run;
    return () => {
      tick = null;
    };
  };
  const progress = createProgress(stream, { ...style, width: 140 }, { quiet, now: () => time, every });
  const pass = (ms: number) => {
    for (const end = time + ms; time < end; ) {
      time += 100;
      tick?.();
    }
  };
  return { progress, written, pass, ticking: () => tick !== null };
}

describe('progress on a terminal', () => {
  it('redraws one line at most ten times a second', () => {
    const { progress, written, pass } = stage(true);
    for (let i = 0; i < 1000; i++) progress.update({ ...scanning, objects: i });
    expect(written).toHaveLength(1);
    pass(1000);
    expect(written).toHaveLength(11);
    expect(written.every((text) => text.startsWith('\r\x1b[2K') && !text.includes('\n'))).toBe(true);
  });

  it('is erased at the end, and draws no more', () => {
    const { progress, written, pass, ticking } = stage(true);
    progress.update(scanning);
    progress.stop();
    expect(written.at(-1)).toBe('\r\x1b[2K');
    progress.stop();
    pass(1000);
    expect(written).toHaveLength(2);
    expect(ticking()).toBe(false);
  });

  it('shows the rate and the time left, and a stall', () => {
    const { progress, written, pass } = stage(true);
    for (let second = 0; second <= 20; second++) {
      progress.update({
        ...scanning,
        objects: second * 50,
        bytes: second * 10_000_000,
        totalBytes: 2_000_000_000,
      });
      pass(1000);
    }
    expect(written.at(-1)).toMatch(/objects\/s · .*min left$/);
    const speed = (text: string) => Number(/([\d.,]+) objects\/s/.exec(text)![1]!.replace(',', ''));
    const before = speed(written.at(-1)!);
    expect(before).toBeGreaterThan(10);
    pass(20_000);
    expect(speed(written.at(-1)!)).toBeLessThan(before / 10);
  });
});

describe('progress in a log', () => {
  it('is a plain line every ten seconds, and none for a quick scan', () => {
    const { progress, written, pass } = stage(false);
    progress.update(scanning);
    pass(9_900);
    expect(written).toEqual([]);
    pass(20_200);
    expect(written).toHaveLength(3);
    expect(written[0]).toMatch(/^seine: scanning, 25 %, 250 MB of 1\.0 GB, 7 findings.*\n$/);
    progress.stop();
    expect(written).toHaveLength(3);
  });

  it('prints nothing when quiet', () => {
    const { progress, written, pass } = stage(true, true);
    progress.update(scanning);
    pass(60_000);
    progress.stop();
    expect(written).toEqual([]);
  });
});

it('a timer of progress does not keep the process alive', () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const progress = createProgress(new Writable({ write: (_c, _e, done) => done() }), style);
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before);
  progress.stop();
});
