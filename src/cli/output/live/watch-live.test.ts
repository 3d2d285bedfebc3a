import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../scans/monitor/alert.ts';
import { sampleSnapshot } from '../../../scans/monitor/snapshot.fixture.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { type Keyboard, runUntilQuit } from './run-until-quit.ts';
import { type MonitorView, watchAsLines, watchOnScreen } from './watch-live.ts';

const style: TerminalStyle = { color: false, width: 80, unicode: true };
const LEAVE = '\x1b[?1049l';
const alert: Alert = {
  id: 'no-worker',
  severity: 'critical',
  what: 'Nobody is there.',
  advice: 'Start one.',
};

class Paper extends Writable {
  text = '';
  columns = 80;
  rows = 24;

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

const base = sampleSnapshot();

function sight(
  seconds: number,
  change: { status?: 'running' | 'completed'; alerts?: Alert[] } = {},
): MonitorView {
  const { status = 'running', alerts = [] } = change;
  const at = new Date(Date.parse(base.at) + seconds * 1000).toISOString();
  const done = { ...base.done, objects: seconds };
  return { snapshot: sampleSnapshot({ at, done, scan: { ...base.scan, status } }), alerts };
}

async function* stream(...sights: (MonitorView | (() => void))[]): AsyncGenerator<MonitorView> {
  for (const next of sights) {
    if (typeof next === 'function') next();
    else yield next;
  }
}

describe('on a screen', () => {
  it('draws each sight and gives back the terminal, with the last sight for the caller', async () => {
    const paper = new Paper();
    const last = sight(2, { status: 'completed' });
    expect(await watchOnScreen(stream(sight(1), last), paper, style)).toBe(last);
    expect(paper.text).toContain('1 of ~36,000 objects');
    expect(paper.text).toContain('completed');
    expect(paper.text.endsWith(LEAVE)).toBe(true);
  });

  it('draws again in the new size when the window changes', async () => {
    const paper = new Paper();
    const resize = () => {
      [paper.columns, paper.rows] = [40, 10];
      paper.text = '';
      paper.emit('resize');
    };
    await watchOnScreen(stream(sight(1), resize), paper, style);
    expect(paper.text).toContain('\x1b[10;1Hq quits; the scan continues\x1b[K\x1b[J');
    expect(paper.text).not.toContain('\x1b[11;1H');
    expect(paper.listenerCount('resize')).toBe(0);
  });

  it('gives back the terminal when the stream breaks', async () => {
    const paper = new Paper();
    const broken = stream(sight(1), () => {
      throw new Error('the database is gone');
    });
    await expect(watchOnScreen(broken, paper, style)).rejects.toThrow('gone');
    expect(paper.text.endsWith(LEAVE)).toBe(true);
  });
});

describe('as lines', () => {
  const said = async (...sights: MonitorView[]) => {
    const paper = new Paper();
    await watchAsLines(stream(...sights), paper);
    return paper.text.trimEnd().split('\n');
  };

  it('reports something at once, then every ten seconds, then the end', async () => {
    const lines = await said(
      sight(0),
      sight(1),
      sight(9),
      sight(11),
      sight(12),
      sight(13, { status: 'completed' }),
    );
    expect(lines).toEqual([
      'seine: scan 12 running, 0 objects, 1.2 GB, 1,204 objects/s, 12 MB/s, 2–5 min left, shards 812 done 8 held 180 waiting 1 failed, 3 workers',
      expect.stringContaining(', 11 objects,'),
      'seine: scan 12 completed, 13 objects, 1.2 GB, shards 812 done 8 held 180 waiting 1 failed, 3 workers',
    ]);
  });

  it('prints an alert when it appears, and again only after it had disappeared', async () => {
    const alerts = [alert];
    const lines = await said(
      sight(0),
      sight(1, { alerts }),
      sight(2, { alerts }),
      sight(3),
      sight(4, { alerts }),
    );
    expect(lines.slice(1)).toEqual([
      'seine: critical: Nobody is there. Start one.',
      'seine: critical: Nobody is there. Start one.',
    ]);
  });

  it('prints nothing when quiet, and still returns the last view', async () => {
    const paper = new Paper();
    const last = sight(1, { status: 'completed' });
    expect(await watchAsLines(stream(sight(0), last), paper, { quiet: true })).toBe(last);
    expect(paper.text).toBe('');
  });
});

describe('leaving', () => {
  class Keys extends EventEmitter implements Keyboard {
    isTTY = true;
    raw = false;
    reading = false;
    setRawMode(raw: boolean): void {
      this.raw = raw;
    }
    resume(): void {
      this.reading = true;
    }
    pause(): void {
      this.reading = false;
    }
  }

  it.each(['q', '\x03', '\x1b'])('is asked for by the key %j', async (key) => {
    const keys = new Keys();
    const aborted = await runUntilQuit(keys, async (signal) => {
      expect(keys).toMatchObject({ raw: true, reading: true });
      keys.emit('data', Buffer.from('x'));
      expect(signal.aborted).toBe(false);
      keys.emit('data', Buffer.from(key));
      return signal.aborted;
    });
    expect(aborted).toBe(true);
  });

  it('gives back the keyboard and the signals, also after an error', async () => {
    const keys = new Keys();
    const before = process.listenerCount('SIGINT');
    await expect(runUntilQuit(keys, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(keys).toMatchObject({ raw: false, reading: false });
    expect(keys.listenerCount('data')).toBe(0);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('hears signals where there is no keyboard', async () => {
    const aborted = await runUntilQuit(null, async (signal) => {
      process.emit('SIGTERM');
      return signal.aborted;
    });
    expect(aborted).toBe(true);
  });
});
