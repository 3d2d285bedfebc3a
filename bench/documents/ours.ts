/** Seine reads the documents of a folder: how long it takes, and the memory of both its processes. */
import { join } from 'node:path';
import { start, usageOf } from '../command.ts';
import { childrenOf } from '../processes.ts';
import type { Measured } from './set.ts';

export interface OursMeasured extends Measured {
  readonly textBytes: number;
  /** Of the first document: the process beside is started, and loads what it needs. */
  readonly first: number;
  readonly findings: number;
  /** Files by what became of them. */
  readonly states: Readonly<Record<string, number>>;
  readonly peakBytes: number;
  /** Of the process that reads documents; 0: there was none. */
  readonly documentBytes: number;
}

const PROCESS = join(import.meta.dirname, 'read-process.ts');
const POLL_INTERVAL_MS = 100;

export async function measureOurs(
  mode: 'extract' | 'inspect',
  folder: string,
  ocr = false,
): Promise<OursMeasured> {
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', PROCESS, mode, folder];
  const running = start(ocr ? [...words, 'ocr'] : words);
  let documentBytes = 0;
  const looking = setInterval(() => {
    for (const child of childrenOf(running.pid))
      documentBytes = Math.max(documentBytes, usageOf(child)?.peakBytes ?? 0);
  }, POLL_INTERVAL_MS);
  try {
    const { code, stdout, stderr, peakBytes } = await running.ended;
    if (code !== 0) throw new Error(stderr);
    return { ...(JSON.parse(stdout) as OursMeasured), peakBytes, documentBytes };
  } finally {
    clearInterval(looking);
  }
}
