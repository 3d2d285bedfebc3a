import { afterEach, describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../budget/limits.ts';
import { ROOT_PATH } from '../embedded-path.ts';
import type { ExtractionResult, TextSink } from '../extraction.ts';
import { Extractor } from '../extractor.ts';
import { memoryAccess } from '../input/random-access.ts';
import { IsolatedReaders, type IsolationOptions, ReaderCrashed } from './isolated-readers.ts';
import { SharedReaders } from './shared-readers.ts';

const HOSTILE = new URL('./hostile-child.fixture.ts', import.meta.url);
const limits = { ...DEFAULT_LIMITS, documentMegabytes: 300 };
const impatient = { ...limits, silentSeconds: 1 };
const opened: IsolatedReaders[] = [];

afterEach(() => {
  for (const documents of opened.splice(0)) documents.close();
});

function documents(options: IsolationOptions = {}): IsolatedReaders {
  const made = new IsolatedReaders({ file: HOSTILE, ...options });
  opened.push(made);
  return made;
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The output of a document that runs these lines. */
async function play(
  by: IsolatedReaders,
  script: readonly string[],
  path = ROOT_PATH,
  own = limits,
): Promise<{ result: ExtractionResult; texts: string[] }> {
  const texts: string[] = [];
  const sink: TextSink = {
    begin: ({ name }) => void texts.push(`${name}: `),
    text: (bytes) => void texts.push(`${texts.pop()}${Buffer.from(bytes)}`),
    end: () => {},
  };
  const around = new Extractor({
    sink,
    budget: new ExtractionBudget(own),
    options: { ocr: false },
    documents: by,
  });
  const input = memoryAccess(Buffer.from(script.join('\n')));
  return { result: await by.read({ document: 'pdf', input, path }, around), texts };
}

describe('a document in a process of its own', () => {
  it('is read, and the next one too', async () => {
    const by = documents();
    for (const word of ['one', 'two']) {
      const { result, texts } = await play(by, [`say ${word}`, 'say more']);
      expect(result).toEqual({ state: 'read', format: 'pdf' });
      expect(texts).toEqual([`#page 0: ${word}`, '#page 1: more']);
    }
  });

  it.each([
    ['exit', 'document reader ended (3)', limits],
    ['fail', 'document reader failed', limits],
    [
      'unsupported',
      'document reader failed: The installed version of thing is not supported: it differs. Run: npm install',
      limits,
    ],
    ['hang', 'document reader hangs', impatient],
    ['sleep', 'document reader hangs', impatient],
  ])('that makes it %s is dead after two tries, and the next one is read', async (command, reason, own) => {
    const by = documents();
    await expect(play(by, [command], ROOT_PATH, own)).rejects.toThrow(new ReaderCrashed(reason));
    expect((await play(by, ['say hello'])).result.state).toBe('read');
  });

  it('keeps what came before the end, once', async () => {
    const { result, texts } = await play(documents(), ['say one', 'say two', 'exit']);
    expect(result).toMatchObject({ state: 'partial', reason: 'document reader ended (3)' });
    expect(texts).toEqual(['#page 0: one', '#page 1: two']);
  });

  it('inside an archive costs only itself', async () => {
    const { result } = await play(documents(), ['exit'], { part: 'a.pdf', depth: 1, compressions: [] });
    expect(result).toMatchObject({ state: 'partial', reason: 'document reader ended (3)' });
  });

  it.each(['eat', 'devour', 'overlong'])(
    'that wants to %s all memory gets its ceiling',
    async (command) => {
      const { result } = await play(documents(), ['say hello', command], ROOT_PATH, limits);
      expect(result).toMatchObject({ state: 'partial', reason: 'limit: memory' });
    },
    60_000,
  );

  it('has its time in all', async () => {
    const own = { ...limits, documentSeconds: 0.5 };
    const by = documents();
    await play(by, ['say ready']); // startup takes longer on a busy machine
    const { result } = await play(by, ['say hello', 'hang'], ROOT_PATH, own);
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: time' });
  });

  it('shares its time limit with the thread that processes its text', async () => {
    const budget = new ExtractionBudget({ ...limits, seconds: 4, secondsPerMegabyte: 0 });
    const texts: string[] = [];
    const text = (bytes: Uint8Array) => {
      texts.push(Buffer.from(bytes).toString());
      budget.usage.cpuMs += 1500;
    };
    const sink = { begin() {}, text, end() {} };
    const extractor = new Extractor({ sink, budget, options: { ocr: false }, documents: documents() });
    const script = Buffer.from(['%PDF-1.7', 'burn 2000', 'say one', 'say two'].join('\n'));
    const result = await extractor.extract('a.pdf', one(script));
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: time' });
    expect(texts.length).toBeGreaterThan(0);
    // What the reader spent counts although it was ended: the next document of the object must not begin again.
    expect(() => budget.check()).toThrow('limit: time');
  });

  it('that is the first of its process also pays for the start of it', async () => {
    const by = documents();
    const spentOn = async () => {
      const budget = new ExtractionBudget(limits);
      const around = new Extractor({
        sink: { begin() {}, text() {}, end() {} },
        budget,
        options: { ocr: false },
        documents: by,
      });
      const input = memoryAccess(Buffer.from('say hello'));
      await by.read({ document: 'pdf', input, path: ROOT_PATH }, around);
      return budget.usage.cpuMs;
    };
    const [first, second] = [await spentOn(), await spentOn()];
    expect(first).toBeGreaterThan(second + 25); // Node itself takes more than that
  });

  it('that was killed for lack of memory is read again, any number of times, without repeating text', async () => {
    const readers = new SharedReaders(1);
    // The time of an idle process must not run while a document is read.
    const by = documents({ memory: readers.share(0), idleMs: 100 });
    let ended = 0;
    const timer = setInterval(() => {
      const [reader] = readers.all();
      if (!reader?.busy || ended >= 3) return;
      readers.evict(reader);
      process.kill(reader.pid, 'SIGKILL');
      readers.share(0).ended(); // until the next one has started
      ended++;
    }, 20);
    const { result, texts } = await play(by, ['say one', 'wait', 'say two']);
    clearInterval(timer);
    expect(ended).toBe(3);
    expect(result.state).toBe('read');
    expect(texts).toEqual(['#page 0: one', '#page 2: two']);
    await expect.poll(() => readers.all()).toEqual([]); // not kept when it is idle
  });

  it('sends a long text in steps: it is held once, and only a little of it is under way', async () => {
    let longest = 0;
    let total = 0;
    const sink: TextSink = {
      begin: () => {},
      text: ({ length }) => {
        longest = Math.max(longest, length);
        total += length;
      },
      end: () => {},
    };
    const by = documents();
    const around = new Extractor({
      sink,
      budget: new ExtractionBudget(limits),
      options: { ocr: false },
      documents: by,
    });
    const input = memoryAccess(Buffer.from('flood 240')); // twice that is beyond the ceiling
    const result = await by.read({ document: 'pdf', input, path: ROOT_PATH }, around);
    expect(result.state).toBe('read');
    expect(total).toBe(240 * 1024 * 1024);
    expect(longest).toBeLessThanOrEqual(1024 * 1024);
  });
});
