/** Much of everything: memory stays bounded, and nothing is missed at a border. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { peakMemory } from '../support/processes.ts';
import {
  type FindingLine,
  findingsOf,
  outcomesOf,
  parseLines,
  reportOf,
  scanned,
} from '../support/results.ts';
import { type Ended, openSeine } from '../support/seine.ts';
import { ssnOf } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const MiB = 1 << 20;
const MAX_MEMORY = 600;

describe('one file', () => {
  it(`of 300 MB has every value found, at its start, at its end and across every border of a megabyte; memory stays below ${MAX_MEMORY} MB`, async () => {
    const content = filled(
      300 * MiB,
      'the tide brought rope, crates and one left boot to the harbour wall today\n',
    );
    const places = [0, ...borders(content.length), content.length - 16];
    for (const [n, at] of places.entries()) content.write(`ssn ${ssnOf(n)} `, at, 'latin1');
    const path = join(seine.folder, 'long.txt');
    writeFileSync(path, content);

    const { ended, memory } = await measured(['scan', path, '-o', '-', '--format', 'jsonl']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const starts = parseLines<FindingLine>(ended.stdout).map(({ start }) => start);
    expect(starts).toEqual(places.map((at) => at + 4));
    expect(memory).toBeLessThan(MAX_MEMORY);
  });

  it(`of one line of 64 MB has the value at its end found, and its column; memory stays below ${MAX_MEMORY} MB`, async () => {
    const content = filled(64 * MiB, 'one long line without any end ');
    const at = content.length - 15;
    content.write('ssn 219-18-4417', at, 'latin1');
    const path = join(seine.folder, 'line.txt');
    writeFileSync(path, content);
    const { ended, memory } = await measured(['scan', path, '-o', '-', '--format', 'jsonl']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const found = parseLines<FindingLine>(ended.stdout);
    expect(found).toMatchObject([{ detector: 'SSN', start: at + 4, end: at + 15, line: 1, column: at + 5 }]);
    expect(memory).toBeLessThan(MAX_MEMORY);
  });
});

describe('100,000 files in one folder', () => {
  const FILES = 100_000;
  const folder = join(seine.folder, 'many');

  it(`are all scanned, and not read a second time; memory stays below ${MAX_MEMORY} MB`, async () => {
    mkdirSync(folder);
    for (let n = 0; n < FILES; n++)
      writeFileSync(`${folder}/${n}.txt`, n % 1000 === 0 ? `ssn ${ssnOf(n)}\n` : 'rope\n');
    const { ended, memory } = await measured(['scan', folder, '--json']);
    const report = reportOf(ended);
    expect(outcomesOf(report)).toEqual({ scanned: FILES });
    expect(await findingsOf(seine, report.scan.id)).toHaveLength(FILES / 1000);
    expect(memory).toBeLessThan(MAX_MEMORY);
    expect(outcomesOf(await scanned(seine, [folder]))).toEqual({ unchanged: FILES });
  });
});

/** Around each border of a megabyte, each time at another distance from it: before, across and behind. */
function borders(length: number): number[] {
  const count = length / MiB - 1;
  return Array.from({ length: count }, (_, n) => (n + 1) * MiB - (n % 20));
}

function filled(length: number, line: string): Buffer {
  return Buffer.alloc(length, line, 'latin1');
}

/** Runs a command and watches its memory until it ends. */
async function measured(words: readonly string[]): Promise<{ ended: Ended; memory: number }> {
  const running = seine.start([...words, '-q']); // on a slow machine progress would be printed
  let over = false;
  const ended = running.ended.finally(() => {
    over = true;
  });
  let memory = 0;
  for (; !over; await sleep(20)) memory = peakMemory(running.pid) ?? memory;
  expect(memory).toBeGreaterThan(0);
  return { ended: await ended, memory };
}
