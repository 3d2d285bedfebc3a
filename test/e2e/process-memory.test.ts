/** Small files that would take gigabytes: the memory of all processes together stays within the budget. */
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { watchTree } from '../support/process-tree.ts';
import { type Ended, openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

interface Measured extends Ended {
  /** Megabytes of all processes together. */
  readonly peak: number;
}

async function measured(words: readonly string[], env: Record<string, string> = {}): Promise<Measured> {
  const running = seine.start(words, { env });
  const watch = watchTree(running.pid);
  try {
    const ended = await running.ended;
    return { ...ended, peak: watch.peak().megabytes };
  } finally {
    watch.stop();
  }
}

const MiB = 1024 * 1024;

/** A PDF that names one attachment again and again; some hundred kilobytes. */
function attachmentAgainAndAgain(megabytes: number, times: number): Buffer {
  const content = deflateSync(Buffer.alloc(megabytes * MiB, 'nothing of interest in here\n'));
  const names = Array.from({ length: times }, (_, i) => `(${String(i).padStart(5, '0')}.txt) 6 0 R`).join(
    ' ',
  );
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles 4 0 R >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
    `<< /Names [${names}] >>`,
    content,
    '<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F 5 0 R >> >>',
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, { length }) => sum + length, 0));
    const dictionary = `<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${object.length} >>\nstream\n`;
    const body = typeof object === 'string' ? [object] : [dictionary, object, '\nendstream'];
    parts.push(...[`${i + 1} 0 obj\n`, ...body, '\nendobj\n'].map((part) => Buffer.from(part as string)));
  }
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer << /Root 1 0 R /Size 7 >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(`xref\n0 7\n0000000000 65535 f \n${table}${trailer}`)]);
}

describe('the memory of all processes', () => {
  it('stays within the budget while every thread reads a memory-intensive document', async () => {
    const folder = join(seine.folder, 'documents');
    // More than a batch has: each goes to another thread.
    const document = Buffer.concat([attachmentAgainAndAgain(64, 1), Buffer.alloc(1.5 * MiB, '%')]);
    for (const name of ['a', 'b', 'c', 'd']) put(folder, `${name}.pdf`, document);
    const { code, peak, stdout } = await measured(['scan', folder], {
      SEINE_THREADS: '4',
      SEINE_MEMORY_MB: '1024',
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('4 objects: 4 scanned') });
    expect(peak).toBeLessThan(1400);
  });

  it('of seine inspect does not grow with the findings', async () => {
    const line = 'ann@example.org 219-18-4417 and bob@example.org\n';
    const file = put(seine.folder, 'dense.txt.gz', gzipSync(line.repeat(400_000)));
    const { code, peak } = await measured(['inspect', file]);
    expect(code).toBe(0);
    expect(peak).toBeLessThan(500);
  });

  it('and the sandbox of readers are shown by seine doctor', async () => {
    const { code, stdout } = await seine.run(['doctor'], { env: { SEINE_THREADS: '2' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /document reader +sandboxed, .*network namespace.*; 896 MB for all reader processes/,
    );
  });
});
