/** The projections of a runner, one loop each. They run independently of its workflows. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { startPollingLoop } from '../../base/polling-loop.ts';
import type { Database } from '../../db/database.ts';
import { UnsettledPause } from '../../events/unsettled-pause.ts';
import type { CodeLock } from '../user-code/code-lock.ts';
import { registerProjection } from './control-projections.ts';
import { type Projection, workflowsOf } from './projection.ts';
import { Projector } from './projector.ts';

export interface ProjectionsOptions {
  readonly holder: string;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly say: (sentence: string) => void;
  /** Excludes other user code of this process. */
  readonly lock: CodeLock;
}

export interface Projections {
  /** Wakes the projections that read this workflow; null: all. */
  wake(workflow: string | null): void;
  reads(workflow: string): boolean;
  /** The projections that this runner can update: excludes those that need newer code or another definition. */
  own(): string[];
  stop(): Promise<void>;
}

const ERROR_PAUSE_MS = 1000;

export function startProjections(
  db: Database,
  projections: readonly Projection[],
  options: ProjectionsOptions,
): Projections {
  const running = projections.map((projection) => startProjection(db, projection, options));
  const concerned = (workflow: string | null) =>
    running.filter(({ workflows }) => workflow === null || workflows.includes(workflow));
  return {
    wake: (workflow) => {
      for (const projecting of concerned(workflow)) projecting.wake();
    },
    reads: (workflow) => concerned(workflow).length > 0,
    own: () => running.flatMap(({ name, projector }) => (projector.isDeferredToNewer ? [] : name)),
    stop: async () => {
      await Promise.all(running.map(({ stop }) => stop()));
    },
  };
}

interface RunningProjection {
  readonly name: string;
  readonly projector: Projector;
  readonly workflows: readonly string[];
  wake(): void;
  stop(): Promise<void>;
}

function startProjection(
  db: Database,
  projection: Projection,
  { holder, leaseMs, pollMs, say, lock }: ProjectionsOptions,
): RunningProjection {
  const { name } = projection;
  const projector = new Projector(db, projection, { holder, ttlMs: leaseMs, say });
  const unsettledPause = new UnsettledPause(pollMs);
  let isRegistered = false;

  async function step(): Promise<number> {
    if (!isRegistered) {
      await registerProjection(db, projection, say);
      isRegistered = true;
    }
    const mode = projector.isCareful ? 'exclusive' : 'shared';
    const progress = await lock.hold(mode, () => projector.round(), leaseMs / 6);
    if (progress === null) return 0;
    if ('applied' in progress) return 0;
    const poll = pollMs * (0.75 + Math.random() / 2);
    const unsettledMs = progress.isUnsettled ? unsettledPause.next() : poll;
    return Math.min(progress.waitMs ?? poll, poll, unsettledMs, leaseMs / 4);
  }

  const loop = startPollingLoop(`project ${name}`, () =>
    step().catch(async (error) => {
      await projector.reread().catch(() => {});
      if (!(error instanceof SeineError && error.kind === 'conflict' && error.retry))
        say(`The projection ${name}: ${messageOf(error)}`);
      return ERROR_PAUSE_MS;
    }),
  );
  return {
    name,
    projector,
    workflows: workflowsOf(projection),
    wake: () => {
      unsettledPause.reset();
      loop.wake();
    },
    stop: async () => {
      await loop.stop();
      await projector.release().catch(() => {}); // its lease expires
    },
  };
}
