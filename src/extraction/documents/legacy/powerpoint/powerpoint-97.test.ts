import { constants, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../../budget/limits.ts';
import { gather, placesOf } from '../../items.fixture.ts';
import { memory, type Tree, writeCompoundFile } from '../compound-file/compound-file.fixture.ts';
import { openCompoundFile } from '../compound-file/compound-file.ts';
import {
  container,
  cString,
  currentUser,
  presentationStreams,
  record,
  shape,
  text,
} from './powerpoint-97.fixture.ts';
import { readPowerPoint97 } from './powerpoint-97.ts';

async function readTree(tree: Tree, budget = new ExtractionBudget()) {
  const { root } = await openCompoundFile(memory(writeCompoundFile(tree)));
  return gather(readPowerPoint97(root, budget));
}

const slides = [
  { outline: ['The title', 'first\rsecond\vthird'], shapes: ['in a box'], notes: 'say hello' },
  { outline: ['Ωmega'], shapes: ['card 4111111111111111', 'two'] },
];

describe('presentations of PowerPoint 97', () => {
  it('have slides with texts in outlines and shapes, and notes', async () => {
    const read = await readTree(presentationStreams(slides));
    expect(read.error).toBeNull();
    expect(read.texts).toEqual([
      { location: 'layout', text: 'Click to edit\n' },
      { location: 'slide 1', text: 'The title\nfirst\nsecond\nthird\n' },
      { location: 'slide 2', text: 'Ωmega\n' },
      { location: null, text: 'the footer\n' },
      { location: 'slide 1', text: 'in a box\n' },
      { location: 'slide 2', text: 'card 4111111111111111\ntwo\n' },
      { location: 'slide 1 notes', text: 'say hello\n' },
    ]);
  });

  it('have comments in tags', async () => {
    const comment = container(0x2ee0, [cString('Ann', 0), cString('please check', 1)]);
    const tags = container(0x1388, [
      container(0x138a, [cString('___PPT10'), record(0x138b, comment)]),
      container(0x138a, [cString('of an add-in'), record(0x138b, Buffer.alloc(30, 0x77))]),
    ]);
    const read = await readTree(presentationStreams([], [container(0x3ee, [tags, shape('after')])]));
    expect(placesOf(read)['']).toBe('the footer\nAnn\nplease check\nof an add-in\nafter\n');
    expect(read.error).toBeNull();
  });

  it('keep what was deleted before an incremental save, without a number', async () => {
    const tree = presentationStreams(slides, [
      container(0x3ee, [shape('deleted')]),
      container(0x3f8, [shape('m')]),
    ]);
    const { texts } = await readTree(tree);
    expect(texts.slice(-2)).toEqual([
      { location: null, text: 'deleted\n' },
      { location: 'layout', text: 'm\n' },
    ]);
  });

  it('have no slide numbers if the last edit is unknown', async () => {
    const { 'PowerPoint Document': stream } = presentationStreams(slides);
    const { texts, error } = await readTree({ 'PowerPoint Document': stream! });
    expect(texts.at(-1)).toEqual({ location: 'notes', text: 'say hello\n' });
    expect(texts.at(-2)).toEqual({ location: null, text: expect.stringContaining('4111111111111111') });
    expect(error).toBeNull();
  });

  it('hold other documents, compressed or not', async () => {
    const object = Buffer.from('an object'.repeat(9000));
    const packed = Buffer.concat([Buffer.alloc(4), deflateSync(object)]);
    const tree = presentationStreams([], [record(0x1011, object), record(0x1011, packed, 1)]);
    const { entries, error } = await readTree(tree);
    expect(entries.map(({ name, bytes }) => [name, bytes.equals(object)])).toEqual([
      ['object 1', true],
      ['object 2', true],
    ]);
    expect(error).toBeNull();
  });

  it('hold documents whose compressed data has no end, if they are whole', async () => {
    const object = Buffer.from('an object'.repeat(9000));
    const size = (length: number) => Buffer.from(Uint32Array.of(length).buffer);
    const endless = deflateSync(object, { finishFlush: constants.Z_SYNC_FLUSH });
    const objects = [object.length, object.length + 1].map((length) =>
      record(0x1011, Buffer.concat([size(length), endless]), 1),
    );
    const { entries } = await readTree(presentationStreams([], objects));
    expect(entries.map(({ bytes, error }) => [bytes.equals(object), error])).toEqual([
      [true, undefined],
      [true, 'corrupt: truncated embedded object'],
    ]);
  });

  it('may have saves at round offsets, and packages marked like containers', async () => {
    const styles = record(0x428, Buffer.from('PK\x03\x04 a package'), 0, 15);
    const { 'PowerPoint Document': stream, ...rest } = presentationStreams(slides, [
      container(0x3ee, [styles, shape('before')]),
    ]);
    const padding = Buffer.alloc(4096 - ((stream as Buffer).length % 4096));
    const later = container(0x3ee, [shape('after')]);
    const read = await readTree({
      ...rest,
      'PowerPoint Document': Buffer.concat([stream as Buffer, padding, later]),
    });
    expect(read.error).toBeNull();
    expect(read.texts.at(-1)).toEqual({ location: null, text: 'before\nafter\n' });
  });

  it('are read as PowerPoint 97 has them, if they were saved for 95 as well', async () => {
    const read = await readTree({
      'PowerPoint Document': Buffer.alloc(99, 0x77),
      PP97_DUALSTORAGE: presentationStreams([{ shapes: ['new'] }]),
    });
    expect(placesOf(read)['slide 1']).toBe('new\n');
    expect(read.error).toBeNull();
  });

  it('have long texts', async () => {
    const long = 'Ωabc '.repeat(50_000);
    const { texts } = await readTree(presentationStreams([{ shapes: [long] }]));
    expect(texts.at(-1)?.text === `${long}\n`).toBe(true);
  });
});

describe('hostile presentations of PowerPoint 97', () => {
  it.each([
    ['by their user', { ...presentationStreams(slides), 'Current User': currentUser(0, 0xf3d1c4df) }],
    ['by their stream', { 'PowerPoint Document': record(0x2f14, Buffer.alloc(10)) }],
  ])('are encrypted %s', async (_, tree) => {
    expect((await readTree(tree)).error).toBe('encrypted');
  });

  it('lack their stream', async () => {
    expect((await readTree({})).error).toBe('corrupt: PowerPoint document stream');
  });

  it('with a record that is too long yield its content, and continue', async () => {
    const lying = text('short');
    lying.writeUInt32LE(1000, 4);
    const read = await readTree({
      'PowerPoint Document': Buffer.concat([container(0x3ee, [lying]), container(0x3ee, [shape('next')])]),
    });
    expect(placesOf(read)['']).toBe('short\nnext\n');
    expect(read.error).toBe('corrupt: PowerPoint record');
  });

  it('have a limit of slides, and keep the text before it', async () => {
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, pages: 1 });
    const read = await readTree(presentationStreams(slides), budget);
    expect(read.error).toBe('limit: pages');
    expect(read.texts.at(-1)?.text).toBe('in a box\n');
  });

  it('with saves in a circle end', async () => {
    const tree = presentationStreams(slides);
    const stream = Buffer.from(tree['PowerPoint Document'] as Buffer);
    const edit = (tree['Current User'] as Buffer).readUInt32LE(16);
    stream.writeUInt32LE(edit, edit + 16);
    const { texts } = await readTree({ ...tree, 'PowerPoint Document': stream });
    expect(texts.length).toBe(7);
  });

  it('fail cleanly for any changed bytes', { timeout: 60_000 }, async () => {
    const good = presentationStreams(slides, [
      record(0x1011, Buffer.concat([Buffer.alloc(4), deflateSync('x')]), 1),
    ]);
    const stream = good['PowerPoint Document'] as Buffer;
    const change = fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(change, fc.nat(4 * stream.length), async (changes, end) => {
        const bad = Buffer.from(stream.subarray(0, end));
        for (const [at, byte] of changes) if (at < bad.length) bad[at] = byte;
        const { length } = await readTree({ ...good, 'PowerPoint Document': bad });
        expect(length).toBeLessThan(10 * stream.length);
      }),
      { numRuns: 2000 },
    );
  });
});
