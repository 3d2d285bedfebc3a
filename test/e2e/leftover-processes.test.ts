/** Whatever ends the program while a document is read, no process of it stays behind. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { survivors, watchTree } from '../support/process-tree.ts';
import { openSeine, type Running } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
const folder = join(seine.folder, 'documents');
/** Time limits: until the database is created and the document is started; until all processes have exited. */
const BEGIN_MS = 110_000;
const END_MS = 60_000;

beforeAll(() => {
  put(folder, 'long.pdf', longDocument());
});

afterAll(() => seine.close());

const PAGES = 4000;

/** A sound document of many pages that takes a reader more time than the test needs to interrupt it. */
function longDocument(): string {
  const kids = Array.from({ length: PAGES }, (_, i) => `${4 + 2 * i} 0 R`).join(' ');
  const pages = Array.from({ length: PAGES }, (_, i) => {
    const text = `BT /F1 9 Tf ${`1 0 0 1 72 720 Tm (page ${i}) Tj `.repeat(500)}ET`;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ];
  });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${PAGES} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flat(),
  ];
  let body = '%PDF-1.4\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const [i, object] of objects.entries()) {
    table += `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  return `${body}${table}trailer << /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n${body.length}\n%%EOF\n`;
}

/** The process that reads the document has worked for a while: it has started and is in the middle of the page. */
async function busyReader(pids: () => readonly number[]): Promise<void> {
  const giveUp = performance.now() + BEGIN_MS;
  while (performance.now() < giveUp) {
    for (const pid of pids()) {
      const command = textOf(pid, 'cmdline');
      if (/node\0.*isolation\/child\.ts/s.test(command) && cpuSeconds(pid) > 3) return;
    }
    await sleep(100);
  }
  throw new Error('No process reads the document.');
}

function cpuSeconds(pid: number): number {
  const fields = textOf(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

type End = (running: Running) => unknown;
const ENDS: readonly (readonly [string, End])[] = [
  ['SIGINT', (running) => running.kill('SIGINT')],
  ['SIGTERM', (running) => running.kill('SIGTERM')],
  ['SIGHUP', (running) => running.kill('SIGHUP')],
  ['SIGKILL', (running) => running.kill('SIGKILL')],
  [
    'SIGINT twice',
    async (running) => {
      running.kill('SIGINT');
      await sleep(100);
      running.kill('SIGINT');
    },
  ],
];

describe('after a document that takes minutes', () => {
  it.each(['scan', 'inspect'].flatMap((command) => ENDS.map(([name, end]) => [command, name, end] as const)))(
    'seine %s, ended by %s, leaves no process',
    async (command, _, end) => {
      const what = command === 'scan' ? ['scan', folder, '--full'] : ['inspect', join(folder, 'long.pdf')];
      const running = seine.start(what);
      const watch = watchTree(running.pid);
      try {
        await busyReader(watch.seen);
        const all = watch.seen();
        await end(running);
        expect(await survivors(all, END_MS)).toEqual([]);
      } finally {
        watch.stop();
        running.kill('SIGKILL');
        await running.ended;
      }
    },
  );
});
