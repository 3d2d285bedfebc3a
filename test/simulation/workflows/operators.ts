/** Actors other than runners: callers that send commands, operators that pause, cancel, retry and scale. */
import { SeineError } from '../../../src/base/errors.ts';
import type { Database, Queryable } from '../../../src/db/database.ts';
import { type Command, handleCommands } from '../../../src/workflows/commands/handle.ts';
import { cancelWorkflow, pauseWorkflow, resumeWorkflow } from '../../../src/workflows/control/control.ts';
import { retryParked } from '../../../src/workflows/control/parked.ts';
import { type PartitionSpec, partitionSpecOf } from '../../../src/workflows/partitions/partitioning.ts';
import { readPartitioning } from '../../../src/workflows/partitions/partitioning-store.ts';
import { rescale } from '../../../src/workflows/partitions/scaling.ts';
import { NewerVersionRequired } from '../../../src/workflows/versions/newer-version.ts';
import type { Role } from '../actor.ts';
import type { Choices } from '../random.ts';
import { retryThroughOutage } from '../worker.ts';
import { NAME, relay } from './relay.ts';
import { type Caller, drawPartitioning, type OperatorAction } from './scenario.ts';
import { type Stage, TENANT } from './stage.ts';

/** Each command has its own id, and is sent again until its result is known. */
export function call(stage: Stage, n: number, caller: Caller, choices: Choices): Role {
  const commands = caller.commands.map(({ id, plans }, i) => ({
    tenant: TENANT,
    id,
    command: { type: 'add', plans },
    commandId: `c${n}/${i}`,
  }));
  const version = stage.versionOf(`caller ${n}`);
  return async (db) => {
    const send = async (some: readonly Command[]) => {
      const sent = () =>
        caller.late ? sendLate(db, stage, some, version, choices) : sendNow(db, stage, some, version);
      stage.accepted.push(...(await retryThroughOutage(sent)));
    };
    if (choices.chance(0.5)) await send(commands);
    else for (const command of commands) await send([command]);
  };
}

/** The ids of those that had their effect. */
async function sendNow(
  db: Queryable,
  stage: Stage,
  commands: readonly Command[],
  version: number,
): Promise<string[]> {
  const workflow = relay(stage, () => db, version);
  const outcomes = await handleCommands(db, workflow, commands);
  for (const outcome of outcomes) {
    const isNewer = outcome.outcome === 'failed' && outcome.error instanceof NewerVersionRequired;
    stage.note(isNewer ? 'refused to old code' : `command ${outcome.outcome}`);
  }
  const taken = commands.filter((_, n) => ['accepted', 'repeated'].includes(outcomes[n]!.outcome));
  return taken.map(({ commandId }) => commandId!);
}

/** Its transaction has a number before the others have theirs, and its events have later versions. */
function sendLate(
  db: Database,
  stage: Stage,
  commands: readonly Command[],
  version: number,
  choices: Choices,
): Promise<string[]> {
  return db.tx(async (tx) => {
    await tx.query('select pg_current_xact_id()', []);
    for (let i = choices.below(choices.of([3, 10, 60])); i > 0; i--)
      await tx.query('select 1 as thought', []);
    return sendNow(tx, stage, commands, version);
  });
}

export function roleFor(
  action: Exclude<OperatorAction, 'join' | 'leave'>,
  stage: Stage,
  choices: Choices,
): Role {
  const address = { tenant: TENANT, workflow: NAME, id: choices.of(stage.scenario.ids) };
  const nap = choices.below(4);
  if (action === 'rescale') return scale(stage, drawPartitioning(choices));
  if (action === 'retry') return retry();
  if (action === 'cancel') return (db) => ignoreExpected(() => cancelWorkflow(db, address));
  return async (db, self) => {
    await ignoreExpected(() => pauseWorkflow(db, address));
    for (let i = nap; i > 0; i--) await stage.world.scheduler.nap(self);
    await ignoreExpected(() => resumeWorkflow(db, address));
  };
}

/** Ignores a workflow that does not exist yet, or has ended. */
async function ignoreExpected(work: () => Promise<unknown>): Promise<void> {
  await retryThroughOutage(work).catch((error) => {
    if (!(error instanceof SeineError) || !['not-found', 'conflict', 'usage'].includes(error.kind))
      throw error;
  });
}

export function retry(): Role {
  return async (db) => void (await retryThroughOutage(() => retryParked(db, { tenant: TENANT })));
}

/** Until it is so: an attempt that breaks off is made again, from whatever shape there is. */
function scale(stage: Stage, to: PartitionSpec): Role {
  return async (db) => {
    for (;;) {
      const layout = await retryThroughOutage(() => readPartitioning(db, NAME));
      if (!layout) return;
      try {
        const { changed } = await retryThroughOutage(() =>
          rescale(db, NAME, partitionSpecOf(layout), to, { running: 'stop' }),
        );
        if (changed) stage.note('rescaled');
        return;
      } catch (error) {
        if (!(error instanceof SeineError) || error.kind !== 'conflict') throw error; // another operator scaled meanwhile
      }
    }
  };
}
