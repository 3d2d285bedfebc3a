import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractBytes } from '../../extraction/extract.ts';
import { type PositionContext, PositionContextSink } from './position-context.ts';
import { parsePosition, type SourcePosition } from './source-position.ts';

const plain = {
  name: null,
  format: 'text',
  charset: 'utf-8',
  sourceOffset: (at: number) => at,
  fieldAt: () => null,
  fieldScope: 'near',
} as const;

function contextOf(text: Buffer, position: SourcePosition, cut = text.length): PositionContext | null {
  const sink = new PositionContextSink(position);
  sink.begin(plain);
  for (let at = 0; at < text.length; at += cut) sink.text(text.subarray(at, at + cut));
  sink.end();
  return sink.found;
}

describe('the context around a position', () => {
  it('has the position, its line and its column', () => {
    const found = contextOf(Buffer.from('one\ntwo three\nfour'), { offset: 8 })!;
    expect(found).toMatchObject({ at: 8, line: 2, column: 5, offset: 0 });
    expect(found.bytes.subarray(found.at, found.at + 5).toString()).toBe('three');
  });

  it('is the same for a line and a column', () => {
    const text = Buffer.from('one\ntwo three\nfour');
    expect(contextOf(text, { line: 2, column: 5 })).toEqual(contextOf(text, { offset: 8 }));
  });

  it('is none behind the end of the text or of the line', () => {
    const text = Buffer.from('one\ntwo');
    for (const position of [{ offset: 7 }, { line: 1, column: 9 }, { line: 3, column: 1 }] as const)
      expect(contextOf(text, position)).toBeNull();
  });

  it('does not depend on how the text is cut', () => {
    const text = Buffer.from(Array.from({ length: 300 }, (_, n) => `line ${n} of it\n`).join(''));
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 700 }), (offset, cut) => {
        const found = contextOf(text, { offset }, cut)!;
        expect(found).toEqual(contextOf(text, { offset }));
        const { line, column } = found;
        expect(contextOf(text, { line, column }, cut)).toEqual(found);
      }),
    );
  });

  it('holds no more than the detection window', () => {
    const text = Buffer.alloc(1 << 20, 'x');
    const found = contextOf(text, { offset: 600_000 }, 10_000)!;
    expect(found.bytes.length).toBeLessThan(200_000);
    expect(found.at).toBe(600_000);
    expect(found.offset).toBeLessThan(found.at);
  });

  it('counts the bytes of the object where characters are wide', () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ab ann@example.org', 'utf16le')]);
    const sink = new PositionContextSink({ offset: 2 + 2 * 3 });
    extractBytes('wide.txt', wide, sink);
    const { at, offset, bytes } = sink.found!;
    expect(bytes.subarray(at - offset).toString()).toBe('ann@example.org');
  });
});

describe('a position', () => {
  it('is a byte, or a line and a column', () => {
    expect(parsePosition('1204')).toEqual({ offset: 1204 });
    expect(parsePosition('12:5')).toEqual({ line: 12, column: 5 });
  });

  it.each(['', 'x', '-1', '0:4', '4:0', '1:2:3', '1.5'])('is not "%s"', (text) => {
    expect(() => parsePosition(text)).toThrow(/is not a position/);
  });
});
