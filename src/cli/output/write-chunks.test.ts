import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { writeChunks } from './write-chunks.ts';

describe('pouring', () => {
  it('waits for a slow reader instead of piling up', async () => {
    let made = 0;
    let taken = 0;
    let mostAhead = 0;
    async function* chunks(): AsyncGenerator<string> {
      for (; made < 50; made++) {
        mostAhead = Math.max(mostAhead, made - taken);
        yield 'x'.repeat(70_000);
      }
    }
    const slow = new Writable({
      write(_chunk, _encoding, done) {
        taken += 1;
        setImmediate(done);
      },
    });
    await writeChunks(chunks(), slow);
    expect(taken).toBe(50);
    expect(mostAhead).toBeLessThan(5);
  });

  it('leaves the stream open', async () => {
    const out = new Writable({ write: (_chunk, _encoding, done) => done() });
    await writeChunks(['a'], out);
    await writeChunks(['b'], out);
    expect(out.writable).toBe(true);
  });

  it('ends the findings when the reader goes away', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(70_000);
      } finally {
        ended = true;
      }
    }
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    broken.on('error', () => {});
    await expect(writeChunks(endless(), broken)).rejects.toThrow('EPIPE');
    expect(ended).toBe(true);
  });

  it('passes on the failure of the findings and leaves the stream usable', async () => {
    async function* failing(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('the database went away');
    }
    const out = new Writable({ write: (_chunk, _encoding, done) => done() });
    await expect(writeChunks(failing(), out)).rejects.toThrow('the database went away');
    expect(out.destroyed).toBe(false);
  });
});
