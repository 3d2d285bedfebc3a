import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFromBytes, keyOf } from '../../../base/key.ts';
import type { Report, ScanStatus } from '../../../scans/results/report.ts';
import { hostileText, SAMPLE } from '../sample-report.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { widthOf } from '../text-width.ts';
import { bar, contents } from './risk.ts';
import { renderReport } from './terminal.ts';

const style: TerminalStyle = { color: false, width: 100, unicode: true };
const withStatus = (status: ScanStatus): Report => ({ ...SAMPLE, scan: { ...SAMPLE.scan, status } });
const none: Report = {
  ...SAMPLE,
  tiers: { MINIMAL: 0, LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 },
  objects: [],
  folders: [],
  types: [],
};

describe('the report in a terminal', () => {
  it('reports which policies fired, on how much and why', () => {
    const text = renderReport(SAMPLE, style);
    expect(text).toContain('Policies\n  gdpr     37 objects  1,204 SSN · 10 PHONE\n');
    expect(text).toMatch(/ {2}pci_dss {2}1 object {4}5 CREDIT_CARD\n {6}finance/);
    expect(text).toContain('seine findings 7f3a9c --policy gdpr');
    expect(renderReport({ ...SAMPLE, policies: [] }, style)).not.toContain('olic');
  });

  it('names the source, the scan and its status', () => {
    const text = renderReport(SAMPLE, style);
    expect(text).toContain(
      'Seine s3://claims\nscan 7f3a9c · completed · rules default · 2026-01-05 10:12 UTC\n',
    );
  });

  it('shows tiers, worst first, with a bar each', () => {
    expect(renderReport(SAMPLE, style)).toContain(
      ['  CRITICAL   3  █▊', '  HIGH      12  ███████▎', '  MEDIUM     9  █████▍'].join('\n'),
    );
  });

  it('shows the worst objects with what is inside them', () => {
    const text = renderReport(SAMPLE, style);
    expect(text).toMatch(
      / 98 {2}CRITICAL {2}finance\/2023\/payroll\/export-final\.csv +1,200 SSN · 3 CREDIT_CARD\n/,
    );
    expect(text).toMatch(/ 78 {2}HIGH {6}顧客\/東京\/名簿\.txt +10 PHONE\n/);
  });

  it('shows types with masked samples and where they are', () => {
    expect(renderReport(SAMPLE, style)).toMatch(
      /SSN +1,204 in 37 objects +direct_identifier\n +\*{3}-\*{2}-6789 +\S+csv:12\n/,
    );
  });

  it('shows the coverage with its reasons, and the rate of the bytes read', () => {
    const text = renderReport(SAMPLE, style);
    expect(text).toContain('412 objects: 398 scanned, 9 unchanged, 3 partial, 2 skipped (5.2 GB)');
    expect(text).toContain('3 partial: larger than the limit of 1 GB\n    2 skipped: encrypted');
    expect(text).toContain('103 objects/s · 1,300 MB/s · 4.0 s');
  });

  it('reports when workers of another version took part', () => {
    const mixed = { ...SAMPLE, scan: { ...SAMPLE.scan, mixedVersions: true } };
    expect(renderReport(mixed, style)).toContain('workers of another Seine version');
    expect(renderReport(SAMPLE, style)).not.toContain('workers of another Seine version');
  });

  it('reports what to do next in commands that can be pasted', () => {
    const text = renderReport({ ...SAMPLE, scan: { ...SAMPLE.scan, source: 'fs:/srv/claims' } }, style);
    expect(text).toContain("seine findings 7f3a9c --where 'tier >= HIGH'");
    expect(text).toContain('seine inspect /srv/claims/finance/2023/payroll/export-final.csv');
    expect(text).toContain('seine coverage 7f3a9c');
    expect(text).toContain('--output report.html');
    expect(text).not.toContain('seine resume');
    expect(renderReport(withStatus('interrupted'), style)).toContain('seine resume 7f3a9c');
  });

  it('names in them the program and the data folder as they were given', () => {
    const invocation = { command: './seine', data: 'my data' };
    const text = renderReport(withStatus('interrupted'), { ...style, invocation });
    expect(text).toContain("./seine resume 7f3a9c --data 'my data'");
    expect(text).toContain("./seine show 7f3a9c --output report.html --data 'my data'");
  });

  it('offers to inspect what is on this machine and can be typed', () => {
    const inspected = (source: string, objects: Report['objects'], ledger = SAMPLE.ledger) =>
      /seine inspect (\S+)/.exec(
        renderReport({ ...SAMPLE, objects, ledger, scan: { ...SAMPLE.scan, source } }, style),
      )?.[1];
    const [plain, hostile] = SAMPLE.objects;
    expect(inspected('s3://claims', SAMPLE.objects)).toBeUndefined();
    expect(inspected('fs:/data', [hostile!, plain!])).toBe('/data/finance/2023/payroll/export-final.csv');
    expect(inspected('fs:/data', [hostile!])).toBeUndefined();
    const one = [{ outcome: 'scanned' as const, reason: null, objects: 1, bytes: 1 }];
    expect(inspected('fs:/data/a.csv', [{ ...plain!, key: keyOf('a.csv') }], one)).toBe('/data/a.csv');
  });

  it.each(['interrupted', 'incomplete', 'failed', 'running'] as const)(
    'says first that a scan is %s',
    (status) => {
      expect(renderReport(withStatus(status), style)).toMatch(new RegExp(`^${status.toUpperCase()}: `));
    },
  );

  it('reports first that a completed scan did not read everything', () => {
    expect(renderReport(SAMPLE, style)).toMatch(/^NOT EVERYTHING WAS READ: 5 of 412 objects/);
    const whole = { ...SAMPLE, ledger: SAMPLE.ledger.slice(0, 2) };
    expect(renderReport(whole, style)).toMatch(/^Seine /);
    expect(renderReport(whole, style)).not.toContain('seine coverage');
  });

  it('reports what was not read when nothing was found, and never calls it clean', () => {
    const text = renderReport(none, style);
    expect(text).toContain('No findings in the objects read. 412 objects: 398 scanned');
    expect(text.replaceAll('\n', ' ')).toContain('5 objects not fully read; they may contain findings.');
    expect(text).not.toMatch(/clean/i);
    expect(renderReport({ ...none, ledger: [] }, style)).toContain('no objects in the source');
  });

  it('reports how much was suppressed, also when nothing else was found', () => {
    const suppressed = { findings: 1_200, suppressions: 1 };
    expect(renderReport({ ...SAMPLE, suppressed }, style)).toContain(
      '1,200 findings suppressed (1 suppression)\n',
    );
    expect(renderReport({ ...none, suppressed }, style)).toContain(
      '1,200 findings suppressed (1 suppression)\n',
    );
    expect(renderReport(SAMPLE, style)).not.toContain('suppressed');
  });

  it('reports the baseline and the number of known findings', () => {
    const baseline = { name: 'main', new: 3, known: 1_200, moved: 2, gone: 4 };
    const line = '3 new against the baseline main; 1,200 known (2 of them moved), 4 gone\n';
    expect(renderReport({ ...SAMPLE, baseline }, style)).toContain(line);
    expect(renderReport({ ...none, baseline }, style)).toContain('No new findings.\n');
  });

  it('has no infinite speed when no time passed', () => {
    const text = renderReport({ ...SAMPLE, scan: { ...SAMPLE.scan, seconds: 0 } }, style);
    expect(text).not.toMatch(/Infinity|NaN/);
  });

  it('lets no control character of a name reach the terminal', () => {
    const name = fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => keyFromBytes(bytes));
    fc.assert(
      fc.property(name, hostileText, (key, text) => {
        const hostile: Report = {
          ...SAMPLE,
          scan: { ...SAMPLE.scan, source: text },
          objects: [{ ...SAMPLE.objects[0]!, key, counts: { [text]: 1 } }],
          folders: [{ ...SAMPLE.folders[0]!, folder: text }],
          types: [
            { ...SAMPLE.types[0]!, detector: text, samples: [{ masked: text, key, part: null, line: 1 }] },
          ],
          policies: [
            { ...SAMPLE.policies[0]!, title: text, because: { [text]: 1 }, worst: [{ key, tier: 'LOW' }] },
          ],
          ledger: [{ outcome: 'skipped', reason: text, objects: 1, bytes: 1 }],
        };
        expect(renderReport(hostile, style).replaceAll('\n', '')).not.toMatch(
          /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u,
        );
      }),
    );
  });

  it.each([40, 60, 100, 160])('fits %i columns, but for commands that must stay whole', (width) => {
    const lines = renderReport(SAMPLE, { ...style, width }).split('\n');
    const over = lines.filter((line) => widthOf(line) > width && !line.startsWith('  seine '));
    expect(over).toEqual([]);
  });

  it('is the same text with colour and without', () => {
    const painted = renderReport(SAMPLE, { ...style, color: true });
    expect(painted).toContain('\x1b[');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is looked for
    expect(painted.replace(/\x1b\[\d+m/g, '')).toBe(renderReport(SAMPLE, style));
  });

  it('stays within ASCII where the terminal has no more', () => {
    const ascii = { ...SAMPLE, objects: SAMPLE.objects.slice(0, 2), types: SAMPLE.types.slice(0, 2) };
    expect(renderReport(ascii, { ...style, unicode: false, width: 50 })).toMatch(/^[\n -~]*$/);
  });
});

describe('the small parts', () => {
  it('draws something for anything, and nothing for nothing', () => {
    expect(bar(0, style)).toBe('');
    expect(bar(1e-9, style)).toBe('▏');
    expect(bar(1, style, 4)).toBe('████');
    expect(bar(1e-9, { ...style, unicode: false })).toBe('#');
  });

  it('lists what is inside with the most first', () => {
    expect(contents({ counts: { CREDIT_CARD: 3, SSN: 12 } }, style)).toBe('12 SSN · 3 CREDIT_CARD');
  });
});
