import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { createRequestGateLog, type RequestGateLog } from '../request-gate.fixture.ts';
import type { SourceObject } from '../source.ts';
import { bytesOf, keysOf, neverAborted, objectsOf } from '../source-test-helpers.ts';
import { createMemoryStore, type InjectedFault, type MemoryStore } from './memory-store.fixture.ts';
import { readObject } from './reading.ts';
import { createStoreSource } from './store-source.ts';

const SIZE = 1_000_000;
const content = Buffer.from(Uint32Array.from({ length: SIZE / 4 }, (_, i) => i).buffer);
const away: InjectedFault = { failure: { error: new SeineError('unavailable', 'The store is away.') } };
const slow = (retryAfterMs: number | null): InjectedFault => ({
  failure: { error: new SeineError('unavailable', 'Slow down.'), throttled: true, retryAfterMs },
});

let store: MemoryStore;
let gate: RequestGateLog;
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0); // no pauses between attempts
  store = createMemoryStore();
  store.put('a', content);
  gate = createRequestGateLog();
});
afterEach(() => void vi.restoreAllMocks());

const open = (retryTimeoutMs = 60_000) => createStoreSource(store, {}, { gate, retryTimeoutMs });

async function readWith(sending: { answerMs?: number; retryTimeoutMs?: number }): Promise<Buffer> {
  const [object] = await objectsOf(open());
  const all = { client: store, gate, retryTimeoutMs: 60_000, answerMs: 30_000, ...sending };
  const chunks: Uint8Array[] = [];
  for await (const chunk of readObject(all, object!, null, neverAborted())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a request that fails', () => {
  it('is retried, through the gate each time', async () => {
    store.troubles.push(away, away, away);
    expect(await keysOf(open())).toEqual(['a']);
    expect(gate.passed).toHaveLength(4);
    expect(gate.throttles).toEqual([]);
  });

  it('reports throttling and the Retry-After to the gate', async () => {
    store.troubles.push(slow(null), slow(3));
    expect(await keysOf(open())).toEqual(['a']);
    expect(gate.throttles).toEqual([null, 3]);
  });

  it('fails when the retry time is over, but not before the third attempt', async () => {
    store.troubles.push(...Array<InjectedFault>(100).fill(away));
    const message = expect.stringMatching(/^The store is away\. Tried 3 times in \d s\.$/);
    await expect(keysOf(open(0))).rejects.toMatchObject({ kind: 'unavailable', retry: true, message });
    expect(gate.passed).toHaveLength(3);
  });

  it('fails in time, though the store asks to wait for an hour', async () => {
    store.troubles.push(...Array<InjectedFault>(100).fill(slow(3_600_000)));
    await expect(keysOf(open(5))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('fails immediately if a retry is useless', async () => {
    const error = new SeineError('permission', 'No.');
    store.troubles.push({ failure: { error } });
    await expect(keysOf(open())).rejects.toBe(error);
    expect(gate.passed).toHaveLength(1);
  });

  it('does not count the time it waited for the gate as an outage', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    gate = createRequestGateLog(() => {
      now += 120_000;
    });
    store.troubles.push(...Array<InjectedFault>(5).fill(away));
    expect(await keysOf(open(60_000))).toEqual(['a']);
  });

  it('stops when aborted', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    store.troubles.push('silence');
    const keys = keysOf(open(), FULL_RANGE, abort.signal);
    setImmediate(() => abort.abort(reason));
    await expect(keys).rejects.toBe(reason);
    expect(store.aborted).toBe(1);
  });
});

describe('a stream that fails', () => {
  it('is resumed at the byte it reached', async () => {
    store.troubles.push(null, { breakAfter: 100_000 }, { endAfter: 7 }, away, { breakAfter: 0 });
    expect(content.equals(await readWith({}))).toBe(true);
    const rest = { from: 100_007, to: SIZE };
    expect(store.reads).toEqual([null, { from: 100_000, to: SIZE }, rest, rest, rest]);
    expect(gate.passed.slice(1).map(({ bytes }) => bytes)).toEqual([
      SIZE,
      SIZE - 100_000,
      ...Array(3).fill(SIZE - 100_007),
    ]);
  });

  it('is resumed as long as it makes progress', async () => {
    store.troubles.push(null, ...Array<InjectedFault>(9).fill({ breakAfter: 100_000 }));
    expect(content.equals(await readWith({ retryTimeoutMs: 0 }))).toBe(true);
  });

  it('fails if it makes none', async () => {
    store.troubles.push(null, ...Array<InjectedFault>(9).fill({ breakAfter: 10 }));
    await expect(readWith({ retryTimeoutMs: 0 })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is never a short read', async () => {
    store.troubles.push(null, ...Array<InjectedFault>(9).fill({ endAfter: 0 }));
    const message = expect.stringContaining('fewer bytes');
    await expect(readWith({ retryTimeoutMs: 0 })).rejects.toMatchObject({ kind: 'unavailable', message });
  });

  it('is never too long', async () => {
    const read = store.read.bind(store);
    store = { ...store, read: (object, _bytes, signal) => read(object, null, signal) };
    const [object] = await objectsOf(open());
    const tail = { from: 10, to: 20 };
    await expect(bytesOf(open(0), object!, tail)).rejects.toMatchObject({
      message: expect.stringContaining('more bytes'),
    });
  });

  it('or never begins, or stalls, is aborted and resumed', async () => {
    store.troubles.push(null, 'silence', { stallAfter: 300_000 });
    expect(content.equals(await readWith({ answerMs: 20 }))).toBe(true);
    expect(store.aborted).toBe(2);
    expect(store.reads).toEqual([null, null, { from: 300_000, to: SIZE }]);
  });

  it('is not aborted while the reader is slow', async () => {
    const [object] = await objectsOf(open());
    const sending = { client: store, gate, retryTimeoutMs: 0, answerMs: 10 };
    const chunks = readObject(sending, object as SourceObject, null, neverAborted());
    const first = await chunks.next();
    await new Promise((resolve) => setTimeout(resolve, 30));
    let rest = 0;
    for await (const chunk of chunks) rest += chunk.length;
    expect(first.value!.length + rest).toBe(SIZE);
    expect(store.reads).toHaveLength(1);
  });
});
