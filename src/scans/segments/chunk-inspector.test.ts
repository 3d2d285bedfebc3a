import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import { inspectSteps, inspectWhole, joined, stepInspector } from './by-segments.fixture.ts';
import { isHuge, isSplittable } from './object-head.ts';
import type { SegmentChunk } from './segment.ts';

const never = new AbortController().signal;
const line = 'mail p@acme.example and some words to fill the line up to its end\n';
const text = line.repeat(4000);

function objectOf(source: MemorySource, name: string): Promise<SourceObject> {
  return source.find(keyOf(name), never) as Promise<SourceObject>;
}

async function step(source: MemorySource, name: string, from: number, to: number): Promise<SegmentChunk> {
  const object = await objectOf(source, name);
  return { ...object, object, step: { from, to } };
}

describe('a step', () => {
  it('reports what starts in it, with relative lines and columns', async () => {
    const source = createMemorySource({ 'a.txt': text });
    const from = 2 * line.length + 3;
    const item = await step(source, 'a.txt', from, from + 2 * line.length);
    const inspection = await stepInspector(source, 10).inspect(item, never, () => {});
    expect(inspection).toMatchObject({
      outcome: 'scanned',
      counts: { EMAIL: 2 },
      bytesRead: 2 * line.length,
    });
    expect(inspection.findings.map(({ line, column }) => [line, column])).toEqual([
      [0, 3],
      [1, 6],
    ]);
    expect(inspection.joint).toMatchObject({ newlines: 2, lineStart: 4 * line.length });
  });

  it('accepts what is accepted of the whole object, however it is cut', async () => {
    const mails = Array.from({ length: 60 }, (_, n) => `n${n % 7}@acme.example\n`).join('');
    const source = createMemorySource({ 'a.txt': mails });
    const object = await objectOf(source, 'a.txt');
    const { findings } = await inspectWhole(source, object, 10);
    const entry = { detector: 'EMAIL', path: null, object: null };
    const accepted = [{ ...entry, id: 3, fingerprint: findings[0]!.fingerprint }];
    const whole = await inspectWhole(source, object, 10, accepted);
    expect(whole).toMatchObject({
      counts: { EMAIL: 51 },
      suppressed: { counts: { EMAIL: 9 }, by: { 3: 9 } },
    });
    for (const cuts of [[500], [7, 8, 300, 301, 900], [16, 32, 48]])
      expect(joined(await inspectSteps(source, object, cuts, 10, accepted), 10, 'pairs')).toEqual(whole);
    const all = [{ ...entry, id: 4, fingerprint: null, path: '*' }];
    const nothing = joined(await inspectSteps(source, object, [500], 10, all), 10, 'forward');
    expect(nothing).toMatchObject({ tier: null, counts: {}, suppressed: { counts: { EMAIL: 60 } } });
  });

  it('reads little more than its own bytes, and the head once for many steps', async () => {
    const source = createMemorySource({ 'a.txt': text });
    const inspector = stepInspector(source, 10);
    let bytes = 0;
    for (const from of [100_000, 120_000])
      await inspector.inspect(await step(source, 'a.txt', from, from + 20_000), never, (n) => {
        bytes += n;
      });
    expect(source.reads.get(keyOf('a.txt'))).toBe(3);
    expect(bytes).toBeLessThan(2 * (20_000 + 90_000));
  });

  it('of an object that changed is partial', async () => {
    const source = createMemorySource({ 'a.txt': text });
    const item = await step(source, 'a.txt', 1000, 2000);
    source.put(keyOf('a.txt'), text);
    expect(await stepInspector(source, 10).inspect(item, never, () => {})).toMatchObject({
      outcome: 'partial',
      reason: 'changed',
      stable: false,
      joint: { from: 1000, to: 2000, newlines: 0 },
    });
  });

  it('of an object that shrank without a word is not called read', async () => {
    const source = createMemorySource({ 'a.txt': text });
    const item = await step(source, 'a.txt', 0, text.length);
    source.put(keyOf('a.txt'), text.slice(0, 100_000), { identity: item.identity });
    const inspection = await stepInspector(source, 5000).inspect(item, never, () => {});
    expect(inspection).toMatchObject({ outcome: 'partial', bytesRead: 100_000 });
    expect(inspection.findings.length).toBeGreaterThan(1000);
  });

  it('of a deleted object is skipped if it is the first one', async () => {
    const source = createMemorySource({ 'a.txt': text });
    const first = await step(source, 'a.txt', 0, 2000);
    source.remove(keyOf('a.txt'));
    expect(await stepInspector(source, 10).inspect(first, never, () => {})).toMatchObject({
      outcome: 'skipped',
      reason: 'deleted',
    });
  });

  it('that could not be read for now is transient, and succeeds the next time', async () => {
    const source = createMemorySource({ 'a.txt': text });
    source.failRead(keyOf('a.txt'), new SeineError('unavailable', 'no answer'), 1);
    const item = await step(source, 'a.txt', 1000, 2000);
    const inspector = stepInspector(source, 10);
    expect(await inspector.inspect(item, never, () => {})).toMatchObject({
      transient: true,
      outcome: 'partial',
    });
    expect(await inspector.inspect(item, never, () => {})).toMatchObject({ outcome: 'scanned' });
  });

  it('that is aborted reports nothing', async () => {
    const source = createMemorySource({ 'a.txt': text });
    const item = await step(source, 'a.txt', 0, 100_000);
    const stop = new AbortController();
    const broken = stepInspector(source, 10).inspect(item, stop.signal, () => stop.abort());
    await expect(broken).rejects.toThrow();
  });
});

describe('an object', () => {
  const splittable = async (name: string, content: string | Buffer): Promise<boolean> => {
    const source = createMemorySource({});
    source.put(keyOf(name), content);
    return isSplittable(source, await objectOf(source, name), never);
  };

  it('of plain text can be read by parts, whatever it is called', async () => {
    for (const name of ['a.csv', 'a.log', 'a.ndjson', 'dump.sql', 'a.json', 'a.yaml', 'none'])
      expect(await splittable(name, text)).toBe(true);
    expect(await splittable('a.txt', Buffer.from('gr\xfc\xdfe '.repeat(9000), 'latin1'))).toBe(true);
  });

  it('that is compressed, has wide characters, is a mail, is rewritten or no text can not', async () => {
    expect(await splittable('a.gz', Buffer.from('\x1f\x8b\x08 and so on', 'latin1'))).toBe(false);
    expect(await splittable('a.txt', Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(false);
    expect(await splittable('a.eml', `From: ann@example.com\r\nTo: b@example.com\r\n\r\n${text}`)).toBe(
      false,
    );
    for (const name of ['a.xml', 'a.html']) expect(await splittable(name, text)).toBe(false);
    expect(await splittable('a.bin', Buffer.alloc(100_000))).toBe(false);
  });

  it('that can not be read is left to a read of the whole object', async () => {
    const source = createMemorySource({ 'a.txt': text });
    source.failRead(keyOf('a.txt'), new SeineError('permission', 'not yours'));
    expect(await isSplittable(source, await objectOf(source, 'a.txt'), never)).toBe(false);
  });

  it('is checked only if it is huge and supports range reads', async () => {
    const source = createMemorySource({ 'a.txt': text });
    const object = await objectOf(source, 'a.txt');
    expect(isHuge(source, object, text.length)).toBe(true);
    expect(isHuge(source, object, text.length + 1)).toBe(false);
    expect(isHuge(source, { ...object, unreadable: 'archived' }, 1)).toBe(false);
    const whole = { ...source, capabilities: { ...source.capabilities, rangeRead: false } };
    expect(isHuge(whole, object, 1)).toBe(false);
  });
});
