/** One scan by the real program, and the memory of its processes meanwhile. */
import type { Ran } from '../command.ts';
import { childrenOf, commandOf, residentBytes } from '../processes.ts';
import type { Seine } from '../seine.ts';

export interface Sample {
  readonly main: number;
  /** Of the processes that read documents, together. */
  readonly documents: number;
  readonly server: number;
}

export interface Watched {
  readonly ran: Ran;
  /** Two a second. */
  readonly samples: readonly Sample[];
}

const SAMPLE_MS = 500;

export async function watchScan(seine: Seine, folder: string): Promise<Watched> {
  const running = seine.start(['scan', folder, '--full', '--quiet']);
  const samples: Sample[] = [];
  const sampling = setInterval(() => samples.push(sampleOf(running.pid, seine)), SAMPLE_MS);
  try {
    const ran = await running.ended;
    if (ran.code !== 0) throw new Error(`seine scan ended with ${ran.code ?? ran.signal}:\n${ran.stderr}`);
    return { ran, samples };
  } finally {
    clearInterval(sampling);
  }
}

function sampleOf(pid: number, seine: Seine): Sample {
  const readers = childrenOf(pid).filter((child) => commandOf(child).includes('isolation/child.ts'));
  const documents = readers.reduce((sum, reader) => sum + residentBytes(reader), 0);
  return { main: residentBytes(pid), documents, server: seine.serverBytes() };
}
