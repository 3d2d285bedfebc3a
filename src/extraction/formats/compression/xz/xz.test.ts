import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usualWindows } from '../../../budget/window-memory.fixture.ts';
import { outcomeOf, queueOf } from '../../byte-queue.fixture.ts';
import { encodeLzma2, USUAL } from '../lzma/lzma.fixture.ts';
import { xzOf } from './xz.fixture.ts';
import { unxz } from './xz.ts';

// Written by xz 5.4: "hello, world" with each check type, empty data, repeated words, and code with calls.
const vector = (base64: string) => Buffer.from(base64, 'base64');
const HELLO = vector(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAMaGVsbG8sIHdvcmxkCgAAAAB7RlqByRK46gABJQ1xGcS2H7bzfQEAAAAABFla',
);
const HELLO_CRC32 = vector(
  '/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQAMaGVsbG8sIHdvcmxkCgAAAABTdCT0AAEhDXXcqNKQQpkNAQAAAAABWVo=',
);
const HELLO_SHA256 = vector(
  '/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAMaGVsbG8sIHdvcmxkCgAAAACFP/k3YqBt2/cixOvp3dZtj2Pdrql/Uhw+zCDafJdg' +
    'IAABPQ0ogd80GJtLmgEAAAAAClla',
);
const HELLO_UNCHECKED = vector(
  '/Td6WFoAAAD/EtlBAgAhARYAAAB0L+WjAQAMaGVsbG8sIHdvcmxkCgAAAAAAAR0NiqVboQZynnoBAAAAAABZWg==',
);
const EMPTY = vector('/Td6WFoAAATm1rRGAAAAABzfRCEftvN9AQAAAAAEWVo=');
const WORDS = vector(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4CoPB7VdADIZSdwuDvgq3FoaDiHduwD7B90/RrYdlSt02LduU8Y9K3/3jolIQG3c+9sO' +
    'AIfuh6cAdXIbljvEW9g7qpOncTadLWTJq/5cX3onVk2wXzpGblq07BtSl+ArkIiTQiAG3waADE4av0AlpxQivmxjE/leq+ky77Cb' +
    'ffX3RhfNNyQnYNgNHV4Gv4+mEzp7QaEmq+t0AgvjKX1fgGsa8RhZ8gS9sZIzTaF4Bx2K0AaM1wbf+ILVjTBllEkoJ7qc2EVGWpX1' +
    'HQse6AUamSauneByC9d3DhV5gW9+WhvRFE/JveiPqU9w8UJcW7bKsTRqlHqbJTZ+tnN1T/RQeP6XD61hfR1fOExdqT2N7MpotyBE' +
    'jXV2Q0RrfPro7QPKenyfTzlumT+tRrDM1lwJ4YoPd14TJMRfnfq3jQaARAzVfrpBwXMH1K3dx7EWT7jFhVilQgTHqb3kdYRKfmAs' +
    'jsXX0DPgrJKv/klBS9iJlLq9RYnynKdF4yqqFZEUTArkxZ3Ml9MeTsyyLIwINfsZfVrrM9VEc2X4E8je/h3N51th4cH4kgaMxx11' +
    'tDaKp2Jzu2V7D2LqltBwWvbEXaUsdZUtBFfZzT04cVn27TyN8tqZSscWX5t2Ic9lTycWOgJSi8wiAhgf06/9grLxRtHboRkkQHqI' +
    'Per7/uBCcKg5LlrNewdbCJ7qNejQ/wD1/EgR6u3H6ca48aQKK21YaculyRA9INaCap5QQk6I6ghgMp9kwiRUtqzAMbjLa+VkbzL2' +
    'ZIUZ6tIGzxHYt+D8UKBWYvs1pJ968WI7Y/sgLFXb/CNIRA4FFEFjJ82n42FYdm/nOx4ve5gLsVZXG1yAHlcv4Z8z4+hV12RIotj9' +
    'ac6Kvd5ySkV8yKhTUIISvghN6WBBcqzFKpnQnFIQc4pHZp/pAsTV9NgtHJWeC0D9bLYcsuJcOXBsAYoXd9oU5CAjVzzcdPppmHXf' +
    'LX47rcjpMtxMCI4CnZSb97H/9dHqDs6YgsGrKfabuZA3LRrhE0ZkVQqoDcJm4v3fJTD20Q9Akv2LccSYW6uWUJUTnd0dgjjVIFFd' +
    'fNXLmt6nDr6OWZ87Xap/UzexEjNmvYuhWNVMp314m+DkCaTpbr65/5i2jVlm9gQlUjgZj2L3IIUgM+546tiq17fQm5q16Lkz6Xtr' +
    '6Ds7tDGsbX4a0g5s2TFZajidbXxuCm1U6mE13X738unX/licDvpKjJBSN4cQD7r2JEDSU1nDXjL5QyCU4ngoffM/OQOjZwquv4TX' +
    'HJQB1BOh6zQUYBzt/rplQlLhf3/Dedal2MQSVnoVDaqAPn0s12SVQeHv5VZMwynxkqEZctZNfRXiSWO+GNgfCme3m/AubelJjqsw' +
    'sGv1SyLIVQFvZ737vKY7/w5Uht/SKc2Si64uJrdyKhw6+Y10ACXdrd3cJzdyZlqZwZIrp+I4MMK7q/ODC7HLMjhD2OePk9RIvqa3' +
    'gieQQCLvn65cMMJov7fXfhAeZGQ9UZmzmMX7SNDlrXe9LqDL726M65iVSQJ8aRVp599xSxjj2DiA7/17qyBH42QlpssL/DBTKDhS' +
    'LTJ3dtsBD20RzApi4+lzsa9ZZgHpq4s0KO5qcNstP+JtfxrdTbPDh9P9e65P+WDjrcIAZqc2a5iF6G5vVAuYhocIo+J71PrITAa9' +
    'UfRR1gaYDlIGNPkPlT45XqfV0cy8Fhh6JymldrzNuwoGjNxkz650emkEwdKhf3Ec0cJsmvrQakU/BWfOZVKBaXAhb0nhJ7NE9b6b' +
    'dNIb4AS4ocd9obN6o+h+4kZXKLf24fwH08KAQ+qPGtbLpq0Ddt6YJXYXjYCajMTOjk54BM08TmFN68he+Redqe37EsIQqSDZl2W6' +
    'YpPekm3jcBCvXNpGkPKUQ9HN21Ymil6VPZetoNjXRsTCfuyfcW0bi8Ns4q+VaSKXydIlaCgs8LFxKjJtxWa3AUS8zywK/KxakJcp' +
    'XRdvZ/s17veWptzY7sSNd1ZJi7LNvolvHaenA9FTHYf7mhb+VqXHUlwmqMMcAMeFT462rtArJR1nIHtjPe4OcET2KhLPG6j8gDZF' +
    'iGdcR4Q8PasDA3pXwWqJq12fo0hS05oRnAmhBbl2jbhBJGIWN9eAsRvY8niQfi7JDDw8aPaiLozDBA35CzdozmirK6pzvjTOmL5c' +
    'k3ysJ4Du3k4p/MXK6iGyecVFihaErJ2bsJPSPG59Q5mxxdb/14eroCmS8Vw6B3GkhfPyfbG/LVBbncTRDUifXDO+yx3v4lY7J74P' +
    'p8cr8cMf9pzK7vRsF8XjoiUMefdUp9iPPVEcX6oKeFj79MlEevGZ6V1xLu8pUFHsjv2j/Ytgr8v5xqwveJ0xyiip3iICMf6XQU45' +
    'USSj0lTppTRT3XJjZmx4Ss+/KTvZ71mjn5UGPugbrqeAO1lfSQAOtYioWkXKEBYGDaQ2+9E0rNwLG+RDR/WyAWPED9iLUey/vRnG' +
    'BwP4sFo9qlb/XKhbo0rMz4BhWLztZZS8Wl+Bw8W6EglFLvtbtmEsgy0pid45Ow0Pz7GlC+MyqgF7d2bRI9RmLI+G42xwH97lKfHa' +
    'I9H1MxShPdckx5FDP52rCKg2fz/S1VNIiOjdKrc00kQJ9A7MbOOHuy9xJ0yhLM6x6geMPsCAAAAAAGngrZlm+YVXAAHRD5BUAABO' +
    '65JOscRn+wIAAAAABFla',
);
const CALLS = vector(
  '/Td6WFoAAATm1rRGBAIEBAAQAAADAQEhARYAAOT2/VjgA9gDJBIAKrvkXo7L3EQio0y6COBFb9wjjhsyVabZFKf3v5lDE1lJM06X' +
    'NEHxMEck5LV60azDVWV/LsMfTO25w/vzwXm8l/JQGprcFRTdDcM/3OIelRS//v8SvCdGvMWasRNsxJUMPQ4r4sZzXa2r3IUhF4kg' +
    'xeMfWdEnpX3Atn7sfRlXXLgYnTC60khu2SUDYEDWRUDCaN7Szh1vg0IesvVhCKHNI62yERbxeHF48a0zT3Ghw9cH6IDPzAPo2nWZ' +
    'MT0c+ns5GcWoFmca/NI83rg008T5Guw23UsejSZ+W/rR1qasvVJ1LV6bQrR2O9MSgYTPtmXj1mGKCeuSV9Czcu0jW5YpJjw3FTW8' +
    'eNsz29lHPs/hva6lVBK0DpWujU1vbA9le0y6wUXtYN80K+PDdOifT3ToYy8Zxgr8qKzD0P7Ig7vubR0Zc7a6CUqF059rgUr2d8b2' +
    '8vQHLPAZupFI64ns87MxgiUKDiCTAuHn/gIPLWio+YBIDGZhuW5gpPZoD8YaOcgrTaiiiNlHDoCebkI3ye86/XS7sdEBymTy5Img' +
    'uGG1bJ/QGeq7gOiVEehflJBcy28+btESDtMPUNtYd7p1n8byt1MxRFk9Q+sgRMp1c8SVhMjY6dgOVjgD3KppBVpAcrqf+Kbh5APd' +
    'EVaGOldxL6il+isjKAMzgcFNHSokkJ6L9JHd0UXv0f6WTvBur5xn++Kx2D5h5jlrRU2GD7tufpBNdIniqqZ3xHB1BzJzp8HmmDRh' +
    'YjA31wfRqaQdItQ96q1C1j3qhWd1GGGdYBK55D8Hax/PoPWy8wZbvgdUfWsNYBgTEk3mWVuikKnR0QT90FywipvO1NI5TqDyf2vz' +
    'blKH/EYXrDqBip2Cc37tdkAAUsrkyLMqcUu5LMXY8P2Tab85yniiQK3P/Lc99xcd7cYuSmJldajekFi7cJJqjv6kfA67vkuXfa3T' +
    'HPIMuk8+mkkGNYixxBe/Ap+ljYo7+BHqt1UKr9K7HFkJsmRnQv5BjyT+57rS2GsSBOKR1cSX3gGidCsieftkyDqk6/iDkyxffpUK' +
    'BtaAtlOBPDAshwV6dC/yDVAAAEIJ4WNSdkRGAAHIBtkHAAAyXb3vscRn+wIAAAAABFla',
);
const ARM = vector(
  '/Td6WFoAAATm1rRGAgEHACEBFgCj9KGZAQAMaGVsbG8sIHdvcmxkCgAAAAB7RlqByRK46gABJQ1xGcS2H7bzfQEAAAAABFla',
);

const hello = 'hello, world\n';
const words = writeWords();
const calls = writeCalls();
const unpack = (bytes: Uint8Array, chunk?: number) =>
  outcomeOf(unxz(queueOf(bytes, chunk), usualWindows()), 1_000_000);
const block = (text: string) => ({ data: Buffer.from(text), compressed: encodeLzma2(Buffer.from(text)) });

describe('xz', () => {
  it.each([
    ['a line', HELLO, hello],
    ['a line with CRC-32', HELLO_CRC32, hello],
    ['a line with SHA-256', HELLO_SHA256, hello],
    ['a line without a sum', HELLO_UNCHECKED, hello],
    ['nothing', EMPTY, ''],
    ['words', WORDS, words],
    ['a program, with two filters', CALLS, calls.toString('latin1')],
    ['a filter for other processors', ARM, hello],
    [
      'streams with zeros between',
      Buffer.concat([HELLO, EMPTY, Buffer.alloc(8), WORDS, Buffer.alloc(4)]),
      hello + words,
    ],
    [
      'several blocks',
      xzOf([block('one '), { ...block('two '), sized: true }, block(words)]),
      `one two ${words}`,
    ],
    ['an unknown check type', xzOf([block(hello)], 7), hello],
  ])('%s', async (_, bytes, text) => {
    for (const chunk of [1, 13, 4096]) {
      const out = await unpack(bytes, chunk);
      expect(out.reason).toBeNull();
      expect(out.bytes.toString('latin1') === text).toBe(true);
    }
  });

  it('any bytes, with any properties and in chunks of any size', async () => {
    const runs = fc.array(
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 40 })),
    );
    const properties = fc
      .record({ lc: fc.nat(4), lp: fc.nat(4), pb: fc.nat(4) })
      .filter(({ lc, lp }) => lc + lp <= 4);
    await fc.assert(
      fc.asyncProperty(
        runs,
        properties,
        fc.integer({ min: 1, max: 2000 }),
        fc.boolean(),
        async (parts, chosen, max, sized) => {
          const data = Buffer.concat(
            parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes)),
          );
          const out = await unpack(xzOf([{ data, compressed: encodeLzma2(data, chosen, max), sized }]), 999);
          expect(out).toEqual({ bytes: data, reason: null });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps what precedes a truncation', async () => {
    const bytes = Buffer.concat([HELLO, xzOf([block(words)])]);
    for (let end = 1; end < bytes.length; end += end < 200 ? 1 : 37) {
      if (end === HELLO.length) continue;
      const out = await unpack(bytes.subarray(0, end));
      expect(out.reason).toMatch(/^corrupt: (truncated (xz|lzma) data|xz data|data after xz)$/);
      expect((hello + words).startsWith(out.bytes.toString())).toBe(true);
    }
  });

  const behind = (text: string) => Buffer.concat([HELLO, Buffer.from(text)]);
  const changed = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes);
    copy[at < 0 ? bytes.length + at : at]! ^= 1;
    return copy;
  };
  it.each([
    ['something else behind it', behind('garbage'), 'corrupt: data after xz', hello],
    ['zeros that are not four', behind('\0\0\0'), 'corrupt: data after xz', hello],
    ['another block in the index', changed(HELLO, -18), 'corrupt: xz data', hello],
    ['a wrong sum of a block', changed(HELLO, -24), 'corrupt: xz checksum', hello],
    ['a wrong sum of a block, CRC-32', changed(HELLO_CRC32, -22), 'corrupt: xz checksum', hello],
    ['a wrong sum of a block, SHA-256', changed(HELLO_SHA256, -34), 'corrupt: xz checksum', hello],
    ['a wrong sum of the index', changed(HELLO, -14), 'corrupt: xz checksum', hello],
    ['a wrong end', changed(HELLO, -1), 'corrupt: xz data', hello],
    ['a wrong beginning', changed(HELLO, 1), 'corrupt: xz data', ''],
    ['a wrong header', changed(HELLO, 13), 'corrupt: xz checksum', ''],
    [
      'an unknown filter',
      xzOf([{ ...block(hello), filters: [[99, 0]] }]),
      'unsupported format: filter in xz',
      '',
    ],
    ['a filter of another length', xzOf([{ ...block(hello), filters: [[3, 0]] }]), 'corrupt: xz data', ''],
    [
      'a wrong size in its header',
      xzOf([{ ...block(hello), sized: true, data: Buffer.from('short') }]),
      'corrupt: xz data',
      hello,
    ],
    ['a dictionary that cannot be', xzOf([{ ...block(hello), dictionary: 41 }]), 'corrupt: lzma data', ''],
    [
      'tables for literals that are not allowed',
      xzOf([{ ...block(hello), compressed: encodeLzma2(Buffer.from(hello), { lc: 4, lp: 1, pb: 2 }, 2000) }]),
      'corrupt: lzma data',
      '',
    ],
    [
      'a chunk that needs what was before',
      xzOf([{ ...block(hello), compressed: Buffer.from([2, 0, 0, 65, 0]) }]),
      'corrupt: lzma data',
      '',
    ],
    [
      'a chunk of no kind',
      xzOf([{ ...block(hello), compressed: Buffer.from([3, 0, 0, 65, 0]) }]),
      'corrupt: lzma data',
      '',
    ],
  ])('reports %s', async (_, bytes, reason, text) => {
    const out = await unpack(bytes);
    expect(out.reason).toBe(reason);
    expect(out.bytes.toString()).toBe(text);
  });

  it('flipped bits are reported, or have no effect', async () => {
    const sources = [xzOf([block(words.slice(0, 3000))]), CALLS, HELLO];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sources),
        fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
        async (source, places) => {
          const bytes = Buffer.from(source);
          for (const place of places) bytes[(place >> 3) % bytes.length]! ^= 1 << (place & 7);
          const out = await unpack(bytes);
          if (out.reason === null) expect(out).toEqual(await unpack(source));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('a chunk of LZMA that is noise ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 5, maxLength: 300 }), async (noise) => {
        const head = [0xff, 0xff, 0xff, 0, noise.length, USUAL.lc + 9 * 5 * USUAL.pb, 0];
        const compressed = Buffer.from([...head, ...noise, 0]);
        const out = await outcomeOf(
          unxz(queueOf(xzOf([{ ...block(hello), compressed }])), usualWindows()),
          2 ** 22,
        );
        expect(out.reason).toMatch(/^corrupt: (truncated )?(lzma|xz) data$/);
      }),
      { numRuns: 300 },
    );
  });
});

function writeWords(): string {
  const names = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu'.split(' ');
  let state = 1;
  const line = (_: unknown, i: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return i % 400 < 300
      ? `${names[(state >>> 16) % 13]} ${(state >>> 20) % 40}\n`
      : `${names[i % 13]} again\n`;
  };
  return Array.from({ length: 1200 }, line).join('');
}

function writeCalls(): Buffer {
  const start = [
    0x55, 0xe8, 1, 2, 0, 0, 0xe8, 0xe9, 0, 0xe8, 0xff, 0xff, 0xff, 0xff, 0xe9, 3, 4, 5, 0xff, 0xe8, 0xe8,
    0xe8,
  ];
  const call = (_: unknown, i: number) => {
    const address = Buffer.alloc(4);
    address.writeInt32LE(i % 3 ? (i * 77777) & 0x1ffffff : -i * 1000);
    return Buffer.concat([Buffer.alloc(i % 7, 0x90), Buffer.from([i % 2 ? 0xe8 : 0xe9]), address]);
  };
  return Buffer.concat([
    Buffer.from([...start, 0, 0, 0, 0]),
    ...Array.from({ length: 120 }, call),
    Buffer.from([0xe8, 0]),
  ]);
}
