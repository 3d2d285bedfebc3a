import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { gather } from '../items.fixture.ts';
import { emfOf, emfRecord, emfText, wmfOf, wmfText } from '../pictures/metafile/metafile.fixture.ts';
import { memory } from './compound-file/compound-file.fixture.ts';
import { pictureRecord } from './office-art-pictures.fixture.ts';
import { drawnPictures } from './office-art-pictures.ts';

const emf = emfOf(emfText('card 4111'));
const wmf = wmfOf(wmfText('call 030 1234'));

const read = (stream: Buffer, budget = new ExtractionBudget()) =>
  gather(drawnPictures([null, memory(stream)], budget));

describe('pictures of Word and PowerPoint 97 that draw text', () => {
  it('are found anywhere, compressed or not', async () => {
    const noise = Buffer.alloc(40_000, Buffer.of(0x40, 0x3d, 0x1a, 0xf0, 1));
    const stream = Buffer.concat([
      pictureRecord(emf),
      Buffer.from('anything'),
      pictureRecord(wmf, { sums: 2 }),
      noise,
      pictureRecord(emfOf(emfRecord(81, Buffer.alloc(30_000, 7))), { packed: false }),
      pictureRecord(wmf, { packed: false }),
      noise.subarray(0, 70),
    ]);
    expect(await read(stream)).toMatchObject({
      error: null,
      entries: [
        { name: 'picture 1', bytes: emf },
        { name: 'picture 2', bytes: wmf },
        { name: 'picture 4', bytes: wmf },
      ],
    });
  });

  it('are found across the steps in which a stream is read', async () => {
    for (let before = 16_384 - 80; before < 16_384 + 4; before += 7) {
      const stream = Buffer.concat([Buffer.alloc(before), pictureRecord(emf), Buffer.alloc(100)]);
      expect((await read(stream)).entries.map(({ bytes }) => bytes)).toEqual([emf]);
    }
  });

  it('are reported if they are damaged', async () => {
    const broken = pictureRecord(emf);
    broken.fill(0xff, broken.length - 30);
    const { entries, error } = await read(Buffer.concat([broken, pictureRecord(wmf), Buffer.alloc(80)]));
    expect(error).toBeNull();
    expect(entries).toMatchObject([{ error: 'corrupt: truncated embedded object' }, { bytes: wmf }]);
  });

  it('are reported if the stream ends inside them', async () => {
    const stream = pictureRecord(emf, { packed: false });
    const short = { ...memory(stream.subarray(0, -9)), size: stream.length };
    expect((await gather(drawnPictures([short], new ExtractionBudget()))).error).toBe(
      'corrupt: truncated stream',
    );
  });

  it('count with their decompressed size', async () => {
    const large = emfOf(emfRecord(75, Buffer.alloc(100_000)), emfText('far behind'));
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, ratio: 2, ratioFloor: 1000 });
    expect((await read(pictureRecord(large), budget)).entries).toMatchObject([
      { error: 'limit: compression ratio' },
    ]);
  });
});
