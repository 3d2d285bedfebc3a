/**
 * `seine partitions start`: one process for each partition, on this machine. Those that die are started again, after a pause that grows
 * as long as they die soon. When the workflow is scaled, all of them end in order and as many start as there are partitions then.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Bell } from '../../base/bell.ts';
import { messageOf } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import type { Database } from '../../db/database.ts';
import { hintOf, WORKFLOW_CHANNEL } from '../../events/herald.ts';
import { openLayout, type Shape, shapeOf, showShape } from '../../workflows/partitions/layout.ts';
import { readLayout } from '../../workflows/partitions/layout-store.ts';
import { supervisedEnvironment } from './supervised.ts';

export interface Supervised {
  readonly workflow: string;
  readonly total: number;
  /** What each process is given besides its partition. */
  readonly words: readonly string[];
  readonly say: (sentence: string) => void;
}

const LOOK_EVERY_MS = 1000;
/** Who lived so long and died then is started again at once. */
const LONG_LIFE_MS = 60_000;

export async function supervise(db: Database, given: Supervised, asked: AbortSignal): Promise<void> {
  const { workflow, total, say } = given;
  await openLayout(db, workflow, { mode: 'static', total });
  const bell = new Bell();
  const stopHearing = await db.listen(WORKFLOW_CHANNEL, (said) => {
    const hint = hintOf(said);
    if (hint.workflow === null || (hint.workflow === workflow && hint.news === 'layout')) bell.ring();
  });
  try {
    let shape: Shape = total;
    while (!asked.aborted) {
      say(`${workflow}: starting ${describe(shape, total)}.`);
      const lives = partitionsOf(shape, total).map((partition) => startLife(given, partition));
      const next = await changedShape(db, workflow, shape, bell, asked, say);
      await Promise.all(lives.map((life) => life.stop()));
      if (next !== null) say(`${workflow}: it was scaled from ${showShape(shape)} to ${showShape(next)}.`);
      shape = next ?? shape;
    }
  } finally {
    await stopHearing().catch(() => {});
  }
}

function describe(shape: Shape, total: number): string {
  return shape === 'slots' ? `${total} runners that share slots` : showShape(shape);
}

function partitionsOf(shape: Shape, total: number): (string | null)[] {
  if (shape === 'slots') return Array(total).fill(null);
  return Array.from({ length: shape }, (_, index) => `${index}/${shape}`);
}

/** Resolves with the new shape once it was scaled; with null when it shall end. */
async function changedShape(
  db: Database,
  workflow: string,
  shape: Shape,
  bell: Bell,
  asked: AbortSignal,
  say: Supervised['say'],
): Promise<Shape | null> {
  while (!asked.aborted) {
    await bell.wait(LOOK_EVERY_MS, asked);
    try {
      const layout = await readLayout(db, workflow);
      if (layout && shapeOf(layout) !== shape) return shapeOf(layout);
    } catch (error) {
      say(`${workflow}: ${messageOf(error)}`); // the database is away; the processes look after themselves
    }
  }
  return null;
}

interface Life {
  stop(): Promise<void>;
}

/** A process, and the ones after it. */
function startLife({ workflow, words, say }: Supervised, partition: string | null): Life {
  const name = partition === null ? workflow : `${workflow} ${partition}`;
  const all = ['runner', '--workflow', workflow, ...(partition ? ['--partition', partition] : []), ...words];
  const stopping = new AbortController();
  const bell = new Bell();
  let child: ChildProcess | null = null;
  const live = async () => {
    for (let soon = 0; !stopping.signal.aborted; soon++) {
      const began = performance.now();
      child = startChild(all, (line) => say(`[${name}] ${line}`));
      const end = await endOf(child);
      if (stopping.signal.aborted) return;
      if (performance.now() - began > LONG_LIFE_MS) soon = 0;
      const pauseMs = 500 + backoff(soon, { firstMs: 500, mostMs: 30_000 });
      say(`[${name}] ended (${end}); it is started again.`);
      await bell.wait(pauseMs, stopping.signal);
    }
  };
  const ended = live();
  return {
    stop: async () => {
      stopping.abort();
      child?.kill('SIGTERM');
      await ended;
    },
  };
}

/** In a group of its own: a Ctrl-C reaches only the supervisor, which asks each to end once. */
function startChild(words: readonly string[], line: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...words], {
    stdio: 'pipe',
    detached: true,
    env: { ...process.env, ...supervisedEnvironment },
  });
  child.stdin.on('error', () => {});
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (text) => void (text === '' || line(text)));
  return child;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}
