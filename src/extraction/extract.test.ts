import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractBytes, extractStream } from './extract.ts';
import { type Extracted, shape, viaBytes, viaStream } from './extraction.fixture.ts';
import { xzOf } from './formats/compression/xz/xz.fixture.ts';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('plain text', () => {
  it('is passed through: one call with the original bytes', () => {
    const bytes = Buffer.from('name,email\nAnn,ann@example.com\n');
    const seen: Uint8Array[] = [];
    const sink = { begin: () => {}, text: (text: Uint8Array) => void seen.push(text), end: () => {} };
    expect(extractBytes('a.csv', bytes, sink)).toEqual({ state: 'read', format: 'csv' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBe(bytes);
  });

  it('an empty object is read, with an empty part', async () => {
    const expected = {
      result: { state: 'read', format: 'text' },
      parts: [{ name: null, format: 'text', charset: 'utf-8', text: '' }],
    };
    expect(shape(viaBytes('a.csv', new Uint8Array(0)))).toEqual(expected);
    expect(shape(await viaStream('a.csv', new Uint8Array(0)))).toEqual(expected);
  });

  it('a byte order mark is not text, and offsets count it', () => {
    const { parts } = viaBytes('a.txt', Buffer.from('\ufeffhello'));
    expect(parts[0]).toMatchObject({ text: 'hello', charset: 'utf-8' });
    expect(parts[0]?.part.sourceOffset(0)).toBe(3);
  });

  it('legacy text keeps its bytes', () => {
    const { parts } = viaBytes('a.txt', Buffer.from('Stra\xdfe', 'latin1'));
    expect(parts[0]).toMatchObject({ text: 'Stra\xdfe', charset: 'latin1' });
    expect(parts[0]?.part.sourceOffset(5)).toBe(5);
  });

  it('in a stream nothing is buffered: chunks after the head are passed on unchanged', async () => {
    const chunk = Buffer.alloc(100_000, 'one endless line ');
    const seen: Uint8Array[] = [];
    async function* chunks() {
      for (let i = 0; i < 50; i++) yield chunk;
    }
    const sink = { begin: () => {}, text: (text: Uint8Array) => void seen.push(text), end: () => {} };
    expect(await extractStream('a.txt', chunks(), sink)).toEqual({ state: 'read', format: 'text' });
    expect(seen).toHaveLength(50);
    expect(seen.every((text) => text === chunk)).toBe(true);
  });

  it('text that turns invalid after the head stays utf-8', async () => {
    const bytes = Buffer.concat([Buffer.alloc(70_000, 'ü'), Buffer.from([0xff])]);
    expect(viaBytes('a', bytes).parts[0]?.charset).toBe('utf-8');
    expect((await viaStream('a', bytes, [999])).parts[0]?.charset).toBe('utf-8');
  });
});

describe('what is not read', () => {
  it.each([
    ['tool', Buffer.from('\x7fELF …'), 'unsupported format: ELF binary'],
    ['a', Buffer.alloc(100), 'unsupported format: binary data'],
    ['a.gz.gz', gzipSync(gzipSync('\x7fELF')), 'unsupported format: ELF binary in gzip in gzip'],
  ])('%s is skipped with its reason and no part', async (name, bytes, reason) => {
    const expected = { result: { state: 'skipped', reason, stable: true }, parts: [] };
    expect(shape(viaBytes(name, bytes))).toEqual(expected);
    expect(shape(await viaStream(name, bytes, [7]))).toEqual(expected);
  });

  it('data whose very beginning needs an unknown filter is skipped, not partly read', async () => {
    const unknown: readonly [number, number] = [99, 0];
    const bytes = xzOf([{ data: Buffer.from('a'), compressed: Buffer.of(0), filters: [unknown] }]);
    const { result } = await viaStream('a.txt.xz', bytes);
    expect(result).toEqual({ state: 'skipped', reason: 'unsupported format: filter in xz', stable: true });
  });

  it('of a long binary only the head is read, and the source is closed', async () => {
    let requestCount = 0;
    let closed = false;
    async function* endless() {
      try {
        for (;;) {
          requestCount++;
          yield new Uint8Array(40_000);
        }
      } finally {
        closed = true;
      }
    }
    const sink = { begin: () => {}, text: () => {}, end: () => {} };
    expect(await extractStream('x', endless(), sink)).toMatchObject({ state: 'skipped' });
    expect([requestCount, closed]).toEqual([2, true]);
  });

  it('a failure of the source is thrown, not turned into a reading', async () => {
    async function* failing() {
      yield gzipSync('some text').subarray(0, 15);
      throw new Error('the network is gone');
    }
    const sink = { begin: () => {}, text: () => {}, end: () => {} };
    await expect(extractStream('x.gz', failing(), sink)).rejects.toThrow('the network is gone');
  });
});

/** Synchronously where that can be done. */
async function inOneGo(name: string, bytes: Uint8Array): Promise<Extracted> {
  const whole = viaBytes(name, bytes);
  return whole.result === null ? viaStream(name, bytes, [bytes.length]) : whole;
}

describe('both paths give the same result', () => {
  const mail =
    'From: a@b.c\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\nhi\r\n' +
    '--x\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8gd29ybGQ=\r\n--x\r\nContent-Type: text/csv; name=a.csv\r\n\r\n' +
    'name,id\r\nann,1\r\n--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--x--\r\nbye';
  const samples: readonly (readonly [string, Uint8Array])[] = [
    ['a.txt', Buffer.from('Grüße, 1 € 😀\n'.repeat(40))],
    ['a.csv', utf16('name;mail\nÄnn 😀;ann@example.com\n'.repeat(30))],
    ['a.csv', Buffer.from('name;mail\nann;x\n'.repeat(30), 'utf16le').swap16()],
    ['a.eml', Buffer.from(mail)],
    ['a.eml.gz', gzipSync(mail)],
    ['a.txt.gz', gzipSync(utf16('x'.repeat(5000)))],
    ['a.bin', Buffer.from([1, 2, 3, 0, 0])],
  ];
  it.each(samples.map(([name, bytes], i) => ({ i, name, bytes })))(
    'sample $i: $name',
    async ({ name, bytes }) => {
      const whole = shape(await inOneGo(name, bytes));
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 }),
          async (sizes) => {
            expect(shape(await viaStream(name, bytes, sizes))).toEqual(whole);
          },
        ),
        { numRuns: 15 },
      );
    },
  );

  it('for long text with borders anywhere around the head', async () => {
    const text = Buffer.from('some words é 😀 and 12345\n'.repeat(6000));
    const wide = utf16(text.toString());
    for (const bytes of [text, wide, text.subarray(0, 65_536), text.subarray(0, 65_537)]) {
      const whole = shape(viaBytes('a.log', bytes));
      for (const size of [65_535, 65_536, 65_537, 10_007]) {
        expect(shape(await viaStream('a.log', bytes, [size]))).toEqual(whole);
      }
    }
  });

  it('for any bytes under any name, and nothing throws', async () => {
    const names = fc.constantFrom('x', 'x.eml', 'x.csv', 'x.json', 'x.gz', 'x.bz2', '.env');
    const starts = fc.constantFrom(
      '',
      'From: x\n\n',
      '\x1f\x8b\x08',
      'BZh91AY&SY',
      '\x28\xb5\x2f\xfd',
      '\xff\xfe',
      '\xfe\xff',
      'a: b\nContent-Type: multipart/x; boundary=--\n\n',
    );
    await fc.assert(
      fc.asyncProperty(
        names,
        starts,
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 1, max: 50 }),
        async (name, start, rest, size) => {
          const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
          const streamed = await viaStream(name, bytes, [size]);
          expect(shape(streamed)).toEqual(shape(await inOneGo(name, bytes)));
          for (const { part, text } of streamed.parts) {
            for (let at = 0; at < text.length; at += 7) part.fieldAt(Buffer.from(text, 'latin1'), at);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
