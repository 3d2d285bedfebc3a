import { describe, expect, it } from 'vitest';
import { zipOf } from '../archives/zip/zip.fixture.ts';
import { PdfFixture } from '../documents/pdf/pdf.fixture.ts';
import { DEFAULT_EXTRACTION_OPTIONS, extractBytesAsync } from '../extract.ts';
import { Collector } from '../extraction.fixture.ts';
import { LimitExceeded } from '../extraction-error.ts';
import { Extractor } from '../extractor.ts';
import { IsolatedReaders } from '../isolation/isolated-readers.ts';
import { ExtractionBudget } from './extraction-budget.ts';
import { DEFAULT_LIMITS } from './limits.ts';

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const nothing = () => new ExtractionBudget().usage;

/** A manual clock, in milliseconds of CPU time. */
function budgetAt(clock: { ms: number }, limits = DEFAULT_LIMITS) {
  return new ExtractionBudget(limits, nothing(), undefined, () => clock.ms);
}

describe('the time of an object', () => {
  it('is limited by the size of the object, not by its output', () => {
    const clock = { ms: 500 };
    const budget = budgetAt(clock, { ...DEFAULT_LIMITS, seconds: 10, secondsPerMegabyte: 2 });
    budget.usage.input = 3_000_000;
    clock.ms += 16_000;
    expect(() => budget.check()).not.toThrow();
    clock.ms += 1;
    expect(() => budget.check()).toThrow(new LimitExceeded('time'));
  });

  it('continues in the reader process, which uses the same total', () => {
    const clock = { ms: 0 };
    const budget = budgetAt(clock, { ...DEFAULT_LIMITS, seconds: 10, secondsPerMegabyte: 2 });
    budget.usage.input = 5_000_000;
    clock.ms = 12_000;
    budget.check();
    const limits = budget.documentLimits(false);
    expect(limits).toMatchObject({ seconds: 20, secondsPerMegabyte: 0, documentSeconds: 10 });
    const there = new ExtractionBudget(limits, { ...budget.usage }, undefined, () => clock.ms);
    clock.ms += 8001;
    expect(() => there.check()).toThrow(new LimitExceeded('time'));
    expect(budget.documentLimits(true).documentSeconds).toBe(DEFAULT_LIMITS.documentSeconds);
  });
});

describe('decompression', () => {
  it('is charged by the byte: the threads of node:zlib report no CPU time', () => {
    const budget = budgetAt({ ms: 0 }, { ...DEFAULT_LIMITS, seconds: 2, secondsPerMegabyte: 0 });
    budget.countDecompressed(1e9);
    expect(() => budget.check()).not.toThrow();
    budget.countDecompressed(1e6);
    expect(() => budget.check()).toThrow(new LimitExceeded('time'));
  });
});

describe('the time of documents', () => {
  it('includes what this thread does with their text', async () => {
    const pdf = new PdfFixture();
    const pages = Array.from({ length: 3 }, (_, i) => ({ content: `BT /F1 12 Tf (${i}) Tj ET` }));
    const zip = zipOf([{ name: 'a.pdf', data: pdf.build(pdf.pages(pages)) }]);
    const documents = new IsolatedReaders();
    let texts = 0;
    const budget = budgetAt({ ms: 0 });
    const text = () => {
      texts++;
      budget.usage.cpuMs += 1000;
    };
    const slow = { begin() {}, text, end() {} };
    const around = { sink: slow, budget, options: { ocr: false }, documents };
    try {
      await new Extractor(around).extract('a.zip', once(zip));
    } finally {
      documents.close();
    }
    expect(texts).toBeGreaterThan(0);
    expect(budget.usage.cpuMs).toBeGreaterThan(1000 * texts);
  }, 120_000);

  it('is shared, also with entries that yield no text', async () => {
    const documents = new IsolatedReaders();
    const slow = new PdfFixture();
    slow.compressed = true;
    const data = slow.build(slow.pages([{ content: 'q Q '.repeat(200_000) }]));
    const zip = zipOf(Array.from({ length: 300 }, (_, i) => ({ name: `${i}.pdf`, data })));
    const limits = { ...DEFAULT_LIMITS, seconds: 1, secondsPerMegabyte: 0 };
    try {
      const result = await extractBytesAsync('a.zip', zip, new Collector(), {
        ...DEFAULT_EXTRACTION_OPTIONS,
        limits,
        documents,
      });
      expect(result).toMatchObject({ state: 'partial', reason: 'limit: time' });
    } finally {
      documents.close();
    }
  }, 120_000);
});

describe('the text of an object', () => {
  it('is limited by what it is, beyond what is harmless', () => {
    const budget = budgetAt({ ms: 0 }, { ...DEFAULT_LIMITS, textFloor: 100, textRatio: 3 });
    budget.usage.input = 50;
    budget.usage.text = 150;
    expect(() => budget.check()).not.toThrow();
    budget.usage.text = 151;
    expect(() => budget.check()).toThrow(new LimitExceeded('text size'));
  });

  it('found before the limit is kept, and the object is partial', async () => {
    const limits = { ...DEFAULT_LIMITS, textFloor: 1000, textRatio: 0 };
    const sink = new Collector();
    const mail = [
      'From: a@b.example',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...Array.from(
        { length: 50 },
        (_, i) =>
          `--b\r\nContent-Disposition: attachment; filename=${i}.gz\r\nContent-Transfer-Encoding: base64\r\n\r\n${GZIP}`,
      ),
      '--b--',
    ].join('\r\n');
    const result = await extractBytesAsync('a.eml', Buffer.from(mail), sink, {
      ...DEFAULT_EXTRACTION_OPTIONS,
      limits,
    });
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: text size' });
    const text = sink.parts.map((part) => part.text).join('');
    expect(text.length).toBeGreaterThan(1000);
    expect(text.length).toBeLessThan(3000);
  });
});

/** A thousand letters. */
const GZIP = 'H4sIAAAAAAAAA0tMHAWjYBQMdwAAA9o4mugDAAA=';
