import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../src/base/key.ts';
import { writeOutputFile } from '../../src/cli/output/output-file.ts';
import { HOSTILE, SAMPLE, sampleFinding, stream } from '../../src/cli/output/sample-report.ts';
import { TIERS } from '../../src/governance/tier.ts';

const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);
const BREAKOUT =
  '"><img src=x onerror="document.title=\'broken\'">\n</td></table><script>document.title="broken"</script>';

let browser: Browser;
let folder: string;
let address: string;

beforeAll(async () => {
  if (CHROMIUM === undefined) throw new Error('No Chromium: install it or set CHROMIUM_PATH.');
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  folder = await mkdtemp(join(tmpdir(), 'seine-report-'));
  const path = join(folder, 'report.html');
  await writeOutputFile(path, 'html', hostileReport(), stream(findings()));
  address = pathToFileURL(path).href;
}, 60_000);

afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

describe('the report in a browser', () => {
  it('opens from disk with no request, no error and no violation of its policy', async () => {
    const { page, requests, complaints } = await open();
    await page.locator('#text').fill('ssn');
    expect(requests.filter((url) => url !== address && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('lists every finding and narrows the list by text', async () => {
    const { page } = await open();
    await expectCount(page, '40 of 40 shown');
    await page.locator('#text').fill('EXPORT-7.json');
    await expectCount(page, '1 of 40 shown');
    expect(await rows(page).count()).toBe(1);
    expect(await rows(page).textContent()).toContain('shared/export-7.json');
    await page.locator('#text').fill('');
    await expectCount(page, '40 of 40 shown');
  });

  it('narrows the list by tier, and by both together', async () => {
    const { page } = await open();
    await page.locator('#tier').selectOption({ label: 'HIGH and worse' });
    await expectCount(page, '16 of 40 shown');
    const tiers = await rows(page).locator('.tier').allTextContents();
    expect(new Set(tiers)).toEqual(new Set(['HIGH', 'CRITICAL']));
    await page.locator('#text').fill('nothing is called this');
    await expectCount(page, '0 of 40 shown');
  });

  it('shows hostile names as text and runs none of them', async () => {
    const { page, complaints } = await open();
    const text = await page.locator('main').textContent();
    expect(text).toContain('<script>alert("1")</script>\\n\\x1b[2J\'"&.csv');
    expect(text).toContain('onerror="document.title=\'broken\'"');
    expect(await page.title()).toMatch(/^Seine report: "><img/);
    expect(await page.locator('img, iframe, object, main script').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('would stop a script that got in', async () => {
    const { page, complaints } = await open();
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = "broken"' }))`,
    );
    await vi.waitUntil(() => complaints.length > 0, 10_000); // the browser reports it asynchronously
    expect(complaints.join()).toContain('Content Security Policy');
    expect(await page.title()).not.toBe('broken');
  });

  it('is whole without scripts', async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await rows(page).count()).toBe(40);
    expect(await page.locator('.tools').isVisible()).toBe(false);
  });

  it('is dark where people like it dark, and draws what was not read with a hatch', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await open({ colorScheme });
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('dark')).not.toBe(await background('light'));
    const { page } = await open();
    const hatch = (outcome: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.swatch.${outcome}')).backgroundImage`);
    expect(await hatch('skipped')).toContain('repeating-linear-gradient');
    expect(await hatch('scanned')).toBe('none');
  });

  it('needs no sideways scrolling on a telephone', async () => {
    const { page } = await open({ viewport: { width: 390, height: 800 } });
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(over).toBeLessThanOrEqual(0);
  });
});

async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(address);
  return { page, requests, complaints };
}

function rows(page: Page) {
  return page.locator('#findings tbody tr:not([hidden])');
}

async function expectCount(page: Page, text: string): Promise<void> {
  await page.locator('#count', { hasText: new RegExp(`^${text}$`) }).waitFor({ timeout: 10_000 });
}

/** Forty, eight of each tier. */
function findings() {
  return Array.from({ length: 40 }, (_, i) => {
    const finding = sampleFinding({
      key: keyOf(`shared/export-${i}.json`),
      line: i + 1,
      tier: TIERS[i % 5]!,
    });
    return i === 1
      ? { ...finding, key: HOSTILE, field: BREAKOUT, part: BREAKOUT, masked: BREAKOUT, reasons: [BREAKOUT] }
      : finding;
  });
}

function hostileReport() {
  return {
    ...SAMPLE,
    scan: { ...SAMPLE.scan, source: BREAKOUT, rules: BREAKOUT },
    folders: [{ ...SAMPLE.folders[0]!, folder: BREAKOUT }],
    types: SAMPLE.types.map((type) => ({ ...type, detector: BREAKOUT, category: BREAKOUT })),
    ledger: SAMPLE.ledger.map((line) => ({ ...line, reason: BREAKOUT })),
  };
}
