import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { queueOf } from '../../formats/byte-queue.fixture.ts';
import { ByteQueue } from '../../formats/byte-queue.ts';
import { contentsOf } from '../entries.fixture.ts';
import { attributes, type TarPart, tarOf, tarPart } from './tar.fixture.ts';
import { readTar } from './tar.ts';

// Written by GNU tar 1.34: files, a long name, a hard and a symbolic link and a pipe; a sparse file.
const packed = (base64: string) => inflateRawSync(Buffer.from(base64, 'base64'));
const GNU = packed(
  '7ZhNboMwEIV9FB+gxeP/bQ/AJdziElRqIkOSHq67XqxuVg2VQJFqKy3zLTAS7B7vvWEqRrIDCav1+QTgs/MM4UorpQBEugcwSgKh' +
    'mhTgME4uUkoOK++15F9SMVdNb1N2/Y1SC/rLmf5WgSAUUP/sDMETZLtUrOli5g64Pv+tAIP5X07/x6wdsJr/YqY/B24A878E02m4' +
    'o12gjj4PfeMjJuIW87+NH+8hWwasz39q5n8uhUH/l+DYoee37f+KPdRDaOsuvBTpf5ifIJS+mAWT/02KBFqX9H8chsX0W3v+p/O/' +
    'Tx/A/c1dgnv12ZcT2P/Z9V/vf33Z/xKM1dj/Reb/XfS4Adqy/3cuNvn3P8v+//H/L23qf15iOb35/U+fb/D7pr+19gr9uTSSUMH8' +
    '9MT2bhxPDeqfS/99t/c35n+w8mv+N9j/CIIgCIIgCPKrfAI=',
);
const PAX = packed(
  '7ZvNbtpAFIVnnaeYB2jtO/9lkX2XfYVJcMFqYpDtNDxcd32xTkNUGdPIscpMgTnfwpYYJECXc8699rgov/jd58ovq7YrCxYFClit' +
    'X86B8ZnIaSa00VoTyd+vC1LaMb5jCXjqet+Gr8LyRBH3ff1Y3Qq30J+0dgtVSKGtI2vlTVi9P16l11UGLp6ijP8ZLxI35lXvYnTe' +
    'e8GB/sk5RYyblPp/mnjf6h0/cmhuF1P/gf/7ot/15+D/QhqC//8//3cLQdK94f8k4f9X5P+RRP+m/v/m/2rc/zmSjFNK/Wfq/5um' +
    'ggiy1v8g/5d1eybzn3PIf+Q/SKD/IPrIM+Ds+U+QIYv5L139Bxlwd/p2cL7/B4/B9b8z9X+x93+zgP9fjf/fRZ0BJ+c/OfZ/oS1h' +
    '/ktB/7z5wOuGe/518xACAIrIUf+D/F+1P380p7WDqfwXcpz/SljkfxKk5lvfr2/3/4M/xb/BXJiT/iOIfk7+01H/b6VF/qfge43M' +
    'h/4H+f+waVYfT3uYyn9l5KH+FWmH/E+CcAcNQITqn+DQ+McKXUlE/cet33T+m5H+Q00N8j/J/L9uK9wBzln/g+xf+3YZvf9/1/4v' +
    'oXD/NwlI1Nz1H0n0s+b/o+v/NlgCFyk2p2H/72D2q5tvZ+L/eP4D/g9S6D+S6Ef6d87N8H9prWJcllV/X2591z0vo+sf/t+V23pb' +
    'Rao//P+S/J/w/F82/h9J9P/U/5Ol0P/blPrP1P8BAAAAAAAAAAAAwHXzCw==',
);
const V7 = packed(
  '7ddBDoIwEAXQHqUHMHRaWuY8KKhEAgaIeDh3XkxCwkIWEBZtQvhvMyzYwM8fSqSEdzRg58ZJpGdzJLR11loiM1wTJXq4XTqxI9OD' +
    'THMnIpVG3bvz/moSaxfyj2f5M1kWUiB/7+oqF3BckcqKRvmvxsb9z3GM/R8u/7PXb8Dq/jfz/DkxDvs/hK6vT7KoZCqvdZnlDTbi' +
    'Eff/rfl+Km87YP38Z//7r4k5Rv9DeBXo/LH7f0+bzH81lvtP8/5ro4XUIX5OD3/+K4vqEeD8z7wh/wEJaVTeXdQzbds+Q/4AAAAA' +
    'AAAAAAAA2/wA',
);
const GNU_SPARSE = packed(
  '7dhNCsIwEIbhHCUnkEmdmoN4gkKLCP7RpODxbVoX6kKhkBb1fRYzISQMzPILl6oNjclKehvVoYu4156KcVqqqkjRn8Wpd2Ls1syg' +
    'C7FqrTXdh3e7nNtxvhi28LiRVHS8uN+P50kDdOrnf3fc1/WhYQ8AAAAAgO9WreI1Zp7xPv9J1s/5j/hCS2NniSsWz3+WdT4RbgAA' +
    'AAAAAAC/6gY=',
);
const PAX_SPARSE = packed(
  '7dhLasMwFAVQjb0Kr0B5T36WokGmbUelULoA0Yjikk+xHQhdfeWkBcf9pIPEkPaeiYxk8EdcDa6e3IXtTQzzWDeT5iXUTVSnRokV' +
    '2Y3JcCQjrFhKEUnX3TxzSYXKt2oEm6YNdXoV9T8Zk1/fPuj9zutleF7XM84Gs9UqzVJmbH92FZZxtr/OCu6v1DEsmuo1zphkWjqb' +
    'FZSHtkq3s/MyFXG+0IbFOrLWdKuPn1fpfVXBOelJ2rj73b5dVYuojTPWn/ggOMw/D0fuzoLD/IspnMppzPxvjtz39IuP7B9ul5L/' +
    'TLx3nAbyNvsILCF2AMmyms8XEf8BAAAAAAAALpvu9/9Bt9v29M841v+Tk2H/b0pC/z+Gr6t555mM+6aaJ4Nq/s84U+R/yP+w/+8U' +
    'g/xTKSX6/zGsVyg3AQAAAP6TNw==',
);

const read = (bytes: Uint8Array, chunk?: number) =>
  contentsOf(readTar(queueOf(bytes, chunk), new ExtractionBudget()));
const long = `dir/${'long-'.repeat(30)}name.txt`;
const part = (name: string, text: string): TarPart => ({ name, data: text });

describe('tar', () => {
  it.each([
    ['GNU', GNU, true],
    ['pax', PAX, true],
    ['the oldest', V7, false],
  ])('in the format of %s', async (_, bytes, longNames) => {
    const found = await read(bytes, 1000);
    expect(found.reason).toBeNull();
    const expected = [
      { name: './a.txt', text: 'one' },
      { name: './dir/b.txt', text: 'two, in a folder' },
      { name: './dir/grün.txt', text: 'vier' },
      ...(longNames ? [{ name: `./${long}`, text: 'three' }] : []),
    ];
    expect(found.entries.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
      expected.toSorted((a, b) => a.name.localeCompare(b.name)),
    );
  });

  it.each([
    ['GNU', GNU_SPARSE],
    ['pax', PAX_SPARSE],
  ])('a file with holes, as GNU tar writes it for %s', async (_, bytes) => {
    expect(await read(bytes)).toEqual({
      entries: [
        { name: 'sparse', text: 'middle' },
        { name: 'a.txt', text: 'one' },
      ],
      reason: null,
    });
  });

  it('names in two fields, sizes in bytes, signed sums', async () => {
    const bytes = tarOf([
      { name: 'b', prefix: 'a/very/long/folder', data: '1' },
      { name: 'b', prefix: 'times of GNU', magic: 'ustar  \0', data: '2' },
      { name: 'wide', data: '3', wide: true },
      { name: 'säm', data: '4', sum: 'signed', magic: '' },
    ]);
    expect(await read(bytes)).toEqual({
      entries: [
        { name: 'a/very/long/folder/b', text: '1' },
        { name: 'b', text: '2' },
        { name: 'wide', text: '3' },
        { name: 'säm', text: '4' },
      ],
      reason: null,
    });
  });

  it('attributes of one file and of all', async () => {
    const text = 'x'.repeat(700);
    const bytes = tarOf([
      { name: 'pax', type: 'g', data: attributes({ comment: 'all', path: 'of all' }) },
      part('a', '1'),
      { name: 'pax', type: 'x', data: attributes({ path: 'ü/b', size: '700', mtime: '1.5' }) },
      { name: 'b', data: text, size: 3 },
      { name: '././@LongLink', type: 'K', data: 'target\0' },
      { name: '././@LongLink', type: 'L', data: `${long}\0` },
      part('c', '3'),
    ]);
    expect(await read(bytes)).toEqual({
      entries: [
        { name: 'of all', text: '1' },
        { name: 'ü/b', text },
        { name: long, text: '3' },
      ],
      reason: null,
      comments: 'all\n',
    });
  });

  it('links, devices and folders are not entries unless they have data', async () => {
    const bytes = tarOf([
      { name: 'l', type: '2', link: '../../../etc/shadow' },
      { name: 'h', type: '1', link: '/etc/passwd', size: 100 },
      { name: 'h', type: '1', link: '/etc/passwd', data: 'bytes of a link' },
      { name: 'd/', type: '5', size: 5 },
      { name: 'old/', type: '\0', magic: '' },
      { name: 'tty', type: '3' },
      { name: 'volume', type: 'V' },
      { name: 'e', data: '' },
    ]);
    expect(await read(bytes)).toEqual({
      entries: [
        { name: 'h', text: 'bytes of a link' },
        { name: 'e', text: '' },
      ],
      reason: null,
    });
  });

  it('names that lead elsewhere are shown as they are', async () => {
    const names = ['../../etc/passwd', '/etc/shadow', 'C:\\Windows\\system.ini', 'a/./../..'];
    const { entries } = await read(tarOf(names.map((name) => part(name, 'x'))));
    expect(entries.map(({ name }) => name)).toEqual(names);
  });

  it('a concatenated archive is read, anything else after the end is not', async () => {
    const one = tarOf([part('a', '1')], Buffer.alloc(9 * 512));
    const both = {
      entries: [
        { name: 'a', text: '1' },
        { name: 'b', text: '2' },
      ],
      reason: null,
    };
    expect(await read(Buffer.concat([one, tarOf([part('b', '2')])]))).toEqual(both);
    expect(await read(Buffer.concat([one, Buffer.alloc(5000, 'tail')]))).toEqual({
      ...both,
      entries: [both.entries[0]],
    });
  });

  it('a file that is left early is skipped', async () => {
    const names: string[] = [];
    const bytes = tarOf([part('a', 'x'.repeat(300_000)), part('b', 'y'), part('c', 'z'.repeat(99))]);
    for await (const item of readTar(queueOf(bytes), new ExtractionBudget())) {
      if (item.is === 'text') continue;
      names.push(item.name);
      if (item.name === 'a') for await (const _ of item.bytes) break;
    }
    expect(names).toEqual(['a', 'b', 'c']);
  });
});

describe('a damaged tar', () => {
  it('reports truncation at every position, and keeps what came before', async () => {
    const whole = tarOf([
      part('a', 'first'),
      { name: 'x', type: 'x', data: attributes({ path: 'second' }) },
      part('b', 'x'.repeat(600)),
    ]);
    const { entries } = await read(whole);
    for (let end = 0; end < whole.length - 1024 + 512; end++) {
      const found = await read(whole.subarray(0, end));
      expect(found.reason).toBe('corrupt: truncated tar archive');
      for (const [i, { name, text }] of found.entries.entries()) {
        expect(name).toBe(entries[i]!.name);
        expect(entries[i]!.text.startsWith(text)).toBe(true);
      }
    }
  });

  it('yields what follows a damaged header, and reports it', async () => {
    const bytes = tarOf([part('a', '1'), { name: 'b', data: '2', sum: 'wrong' }, part('c', '3')]);
    expect(await read(bytes)).toEqual({
      entries: [
        { name: 'a', text: '1' },
        { name: 'c', text: '3' },
      ],
      reason: 'corrupt: tar header',
    });
    expect(await read(bytes.subarray(1024))).toEqual({ entries: [], reason: 'corrupt: tar header' });
  });

  it.each([
    'x',
    '9 path',
    '99 path=a\n',
    '12 size=-500\n',
    '5 a\n=',
    '999999999999999999999999 path=a\n',
    '0 a=b\n',
  ])('with the attributes %j continues, and reports it', async (data) => {
    expect(await read(tarOf([{ name: 'pax', type: 'x', data }, part('a', '1')]))).toEqual({
      entries: [{ name: 'a', text: '1' }],
      reason: 'corrupt: tar header',
    });
  });

  it('does not keep a name that has no end', async () => {
    const bytes = tarPart({ name: 'L', type: 'L', size: 2 ** 32 });
    expect(await read(bytes)).toEqual({ entries: [], reason: 'limit: tar header' });
  });

  it('of a size that no number holds is none', async () => {
    const bytes = tarOf([part('a', '1'), { name: 'b', wide: true, size: 2 ** 60 }]);
    expect((await read(bytes)).reason).toBe('corrupt: tar header');
  });

  it('with any bytes changed ends in entries or an error', async () => {
    const wholes = [GNU, PAX, GNU_SPARSE, PAX_SPARSE, tarOf([part('a', 'one'), part('b', 'two')])];
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wholes), changes, fc.boolean(), async (whole, list, repair) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of list) bytes[at % bytes.length] = byte;
        if (repair) repairSums(bytes);
        const { entries } = await contentsOf(readTar(queueOf(bytes), new ExtractionBudget()), bytes.length);
        expect(entries.length).toBeLessThanOrEqual(bytes.length / 512);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a tar without an end', () => {
  it('ends at the limit of entries', async () => {
    const queue = new ByteQueue(endless());
    const found = await contentsOf(
      readTar(queue, new ExtractionBudget({ ...DEFAULT_LIMITS, entries: 2000 })),
    );
    expect(found.reason).toBe('limit: entries');
    expect(found.entries.length).toBe(2000);
  });
});

async function* endless(): AsyncGenerator<Uint8Array> {
  const bytes = tarOf([part('a', 'x')], Buffer.alloc(0));
  for (;;) yield bytes;
}

/** Recomputes the checksums, so that modified headers are parsed too. */
function repairSums(bytes: Buffer): void {
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    const block = bytes.subarray(at, at + 512);
    if (!/^ustar/.test(block.toString('latin1', 257, 263))) continue;
    block.fill(' ', 148, 156);
    let sum = 0;
    for (const byte of block) sum += byte;
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  }
}
