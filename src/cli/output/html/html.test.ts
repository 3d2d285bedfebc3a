import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFromBytes } from '../../../base/key.ts';
import type { Finding } from '../../../scans/results/finding.ts';
import type { Report } from '../../../scans/results/report.ts';
import { HOSTILE, hostileText, SAMPLE, sampleFinding, stream, textOf } from '../sample-report.ts';
import { writeHtml } from './html.ts';
import { widthClass } from './style.ts';

const page = (findings: readonly Finding[] = [], report: Report = SAMPLE, max?: number) =>
  textOf((out) => writeHtml(report, stream(findings), out, max));

describe('the page', () => {
  it('sends no requests', async () => {
    const text = await page([sampleFinding()]);
    expect(text).not.toMatch(/(?:src|href)="(?!data:,")/);
    expect(text).not.toMatch(/@import|url\(|fetch\(|<iframe|<form/);
  });

  it('runs only the script and takes only the style that its policy names', async () => {
    const text = await page();
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(text)![1]!.replaceAll('&#39;', "'");
    const hash = (tag: string) => {
      const content = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)![1]!;
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    };
    expect(policy).toContain(`default-src 'none'; script-src ${hash('script')}; style-src ${hash('style')};`);
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/\sstyle=|\son\w+=/);
  });

  it('shows numbers, coverage with reasons, and what is wrong at the top', async () => {
    const text = await page();
    expect(text).toContain('<strong>1,210</strong>');
    expect(text).toContain('412 objects: 398 scanned, 9 unchanged, 3 partial, 2 skipped.');
    expect(text).toContain('larger than the limit of 1 GB');
    expect(text.indexOf('Not everything was read')).toBeLessThan(text.indexOf('1,210'));
  });

  it('shows a hostile name as text', async () => {
    const text = await page([sampleFinding({ key: HOSTILE, field: '"><img src=x onerror=alert(1)>' })]);
    expect(text).toContain(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\\n\\x1b[2J&#39;&quot;&amp;.csv',
    );
    expect(text).not.toContain('<img');
  });

  it('has the same tags whatever the texts are', async () => {
    const tags = (text: string) => text.match(/<[^>]*>/g)?.map((tag) => tag.replace(/ datetime="[^"]*"/, ''));
    const name = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => keyFromBytes(bytes));
    const expected = tags(await withTexts(sampleFinding().key, 'text'));
    await fc.assert(
      fc.asyncProperty(name, hostileText, async (key, text) => {
        expect(tags(await withTexts(key, text))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('limits the listed findings and states that there are more', async () => {
    const findings = Array.from({ length: 4 }, (_, i) => sampleFinding({ line: i + 1 }));
    const cut = await page(findings, SAMPLE, 3);
    expect(cut.match(/data-tier=/g)).toHaveLength(3);
    expect(cut).toContain('Only the first 3 findings are listed here.');
    expect(await page(findings, SAMPLE, 4)).toContain('4 of 1,210 findings are listed here.');
    const four = { ...SAMPLE, types: [{ ...SAMPLE.types[0]!, findings: 4 }] };
    expect(await page(findings, four, 4)).toContain('All findings are listed here.');
  });

  it('stops reading the findings when it has enough', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Finding> {
      for (;;) {
        taken += 1;
        yield sampleFinding();
      }
    }
    await textOf((out) => writeHtml(SAMPLE, endless(), out, 3));
    expect(taken).toBe(4);
  });

  it('is whole without anything to show', async () => {
    const empty: Report = {
      ...SAMPLE,
      ledger: [],
      tiers: { MINIMAL: 0, LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 },
      objects: [],
      folders: [],
      types: [],
    };
    const text = await page([], empty);
    expect(text).toContain('No findings.');
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });
});

function withTexts(key: Finding['key'], text: string): Promise<string> {
  const report: Report = {
    ...SAMPLE,
    scan: { ...SAMPLE.scan, source: text, rules: text },
    objects: [{ ...SAMPLE.objects[0]!, key, counts: { [`x${text}`]: 1 } }],
    folders: [{ ...SAMPLE.folders[0]!, folder: text }],
    types: [
      {
        ...SAMPLE.types[0]!,
        detector: text,
        category: text,
        samples: [{ masked: text, key, part: null, line: 1 }],
      },
    ],
    policies: [
      { policy: text, title: text, objects: 1, because: { [`x${text}`]: 1 }, worst: [{ key, tier: 'LOW' }] },
    ],
    ledger: [{ outcome: 'skipped', reason: text, objects: 1, bytes: 1 }],
  };
  return page([sampleFinding({ key, part: text, field: text, masked: text, reasons: [text] })], report);
}

describe('the width of a bar', () => {
  it('is never nothing for something', () => {
    expect(widthClass(0)).toBe('w0');
    expect(widthClass(1e-9)).toBe('w1');
    expect(widthClass(1)).toBe('w100');
  });
});
