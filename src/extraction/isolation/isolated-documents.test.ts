import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { memoryAccess } from '../access.ts';
import { Budget } from '../budget.ts';
import type { Reading, TextSink } from '../extraction.ts';
import { Extractor } from '../extractor.ts';
import { OBJECT } from '../inside.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { DocumentDied, IsolatedDocuments } from './isolated-documents.ts';

const HOSTILE = new URL('./hostile-child.fixture.ts', import.meta.url);
const limits = { ...DEFAULT_LIMITS, documentMegabytes: 300 };
const impatient = { ...limits, silentSeconds: 1 };
const opened: IsolatedDocuments[] = [];

afterEach(() => {
  for (const documents of opened.splice(0)) documents.close();
});

function documents(): IsolatedDocuments {
  const made = new IsolatedDocuments(() => {}, HOSTILE);
  opened.push(made);
  return made;
}

/** What is told of a document that plays these lines. */
async function play(
  by: IsolatedDocuments,
  script: readonly string[],
  inside = OBJECT,
  own = limits,
): Promise<{ reading: Reading; texts: string[] }> {
  const texts: string[] = [];
  const sink: TextSink = {
    begin: ({ name }) => void texts.push(`${name}: `),
    text: (bytes) => void texts.push(`${texts.pop()}${Buffer.from(bytes)}`),
    end: () => {},
  };
  const around = new Extractor({ sink, budget: new Budget(own), options: { ocr: false }, documents: by });
  const input = memoryAccess(Buffer.from(script.join('\n')));
  return { reading: await by.read({ document: 'pdf', input, inside }, around), texts };
}

describe('a document in a process of its own', () => {
  it('is read, and the next one too', async () => {
    const by = documents();
    for (const word of ['one', 'two']) {
      const { reading, texts } = await play(by, [`say ${word}`, 'say more']);
      expect(reading).toEqual({ state: 'read', format: 'pdf' });
      expect(texts).toEqual([`#page 0: ${word}`, '#page 1: more']);
    }
  });

  it.each([
    ['exit', 'document reader ended (3)', limits],
    ['fail', 'document reader failed', limits],
    ['hang', 'document reader hangs', impatient],
    ['sleep', 'document reader hangs', impatient],
  ])('that makes it %s is dead after two tries, and the next one is read', async (deed, reason, own) => {
    const by = documents();
    await expect(play(by, [deed], OBJECT, own)).rejects.toThrow(new DocumentDied(reason));
    expect((await play(by, ['say hello'])).reading.state).toBe('read');
  });

  it('keeps what came before the end, once', async () => {
    const { reading, texts } = await play(documents(), ['say one', 'say two', 'exit']);
    expect(reading).toMatchObject({ state: 'partial', reason: 'document reader ended (3)' });
    expect(texts).toEqual(['#page 0: one', '#page 1: two']);
  });

  it('inside an archive costs only itself', async () => {
    const { reading } = await play(documents(), ['exit'], { part: 'a.pdf', depth: 1, within: [] });
    expect(reading).toMatchObject({ state: 'partial', reason: 'document reader ended (3)' });
  });

  it.each(['eat', 'devour', 'stretch'])(
    'that wants to %s all memory gets its ceiling',
    async (deed) => {
      const { reading } = await play(documents(), ['say hello', deed], OBJECT, limits);
      expect(reading).toMatchObject({ state: 'partial', reason: 'limit: memory' });
    },
    60_000,
  );

  it('has its time in all', async () => {
    const own = { ...limits, documentSeconds: 0.5 };
    const by = documents();
    await play(by, ['say ready']); // to start takes longer on a busy machine
    const { reading } = await play(by, ['say hello', 'sleep'], OBJECT, own);
    expect(reading).toMatchObject({ state: 'partial', reason: 'limit: time' });
  });

  it('writes no file', async () => {
    const path = join(tmpdir(), `seine-escape-${process.pid}`);
    await expect(play(documents(), [`write ${path}`])).rejects.toThrow('document reader failed');
    expect(existsSync(path)).toBe(false);
  });

  it('calls nobody', async () => {
    let calls = 0;
    const server = createServer(() => calls++).listen(0);
    const { port } = server.address() as { port: number };
    await expect(play(documents(), [`call ${port}`])).rejects.toThrow('document reader failed');
    server.close();
    expect(calls).toBe(0);
  });
});
