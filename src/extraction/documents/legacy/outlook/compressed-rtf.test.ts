import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { ExtractionError } from '../../../extraction-error.ts';
import { memory } from '../compound-file/compound-file.fixture.ts';
import { compressRtf } from './compressed-rtf.fixture.ts';
import { decompressRtf } from './compressed-rtf.ts';

async function decompress(bytes: Uint8Array): Promise<{ text: string; error: string | null }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decompressRtf(memory(bytes), new ExtractionBudget())) parts.push(part);
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { text: Buffer.concat(parts).toString('latin1'), error: error.message };
  }
  return { text: Buffer.concat(parts).toString('latin1'), error: null };
}

// The examples of [MS-OXRTFCP].
const HELLO = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
);
const REPEATED = Buffer.from('1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', 'hex');

describe('compressed RTF', () => {
  it.each([
    ['refers to the usual start', HELLO, '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n'],
    ['refers to what it is writing', REPEATED, '{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}'],
  ])('%s', async (_, bytes, text) => {
    expect(await decompress(bytes)).toEqual({ text, error: null });
  });

  it('may not be compressed at all', async () => {
    const body = Buffer.from('{\\rtf1 plain}');
    const bytes = Buffer.concat([Buffer.alloc(16), body]);
    bytes.writeUInt32LE(body.length + 12, 0);
    bytes.write('MELA', 8);
    expect(await decompress(bytes)).toEqual({ text: '{\\rtf1 plain}', error: null });
  });

  it('is what was compressed', { timeout: 60_000 }, async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 500 }),
      fc.integer({ min: 1, max: 30_000 }).map((n) => '{\\rtf1 abc'.repeat(n)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        expect(await decompress(compressRtf(body))).toEqual({ text: body, error: null });
      }),
      { numRuns: 50 },
    );
  });

  it('reports damage after what could be read', async () => {
    expect(await decompress(HELLO.subarray(0, 30))).toMatchObject({
      error: 'corrupt: truncated compressed RTF',
    });
    expect((await decompress(HELLO.subarray(0, 30))).text).toMatch(/^\{\\rtf1\\ansi/);
    expect((await decompress(HELLO.subarray(0, 10))).error).toBe('corrupt: truncated compressed RTF');
    const wrong = Buffer.from(HELLO);
    wrong[12] = 0;
    expect((await decompress(wrong)).error).toBe('corrupt: compressed RTF checksum');
    wrong[8] = 0;
    expect((await decompress(wrong)).error).toBe('corrupt: compressed RTF');
  });

  it('never does worse than stop', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
        const { text } = await decompress(Buffer.concat([HELLO.subarray(0, 16), body]));
        expect(text.length).toBeLessThanOrEqual(17 * body.length);
      }),
      { numRuns: 1000 },
    );
  });
});
