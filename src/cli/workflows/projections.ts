/** `seine workflows projections list`, `rebuild`, `resume` and `remove`. */
import {
  rebuildProjection,
  removeProjection,
  resumeProjection,
} from '../../workflows/projections/control-projections.ts';
import {
  type ProjectionSummary,
  readProjectionSummaries,
} from '../../workflows/projections/projection-store.ts';
import type { CommonFlags } from '../options.ts';
import { groupDigits, pluralize } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withApp } from '../with-app.ts';
import { log, print } from './print.ts';

/** The lag of a workflow is counted up to this many events. */
const MAX_LAG = 10_000;

export async function listProjections(flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const lines = await readProjectionSummaries(db, null, MAX_LAG);
    if (flags.json) return print(lines.map((line) => JSON.stringify(line)));
    if (lines.length === 0) return log('No projections. A runner whose module exports one starts it.');
    const head = ['PROJECTION', 'WORKFLOWS', 'STATE', 'WAITING', 'UPDATED BY', 'ERROR'];
    process.stdout.write(
      table(['left', 'left', 'left', 'right', 'left', 'left'], [head, ...lines.map(rowOf)]),
    );
    for (const { name, state } of lines)
      if (state === 'parked')
        log(`Fix the cause, then: ${suggestCommand(['workflows', 'projections', 'resume', name], flags)}`);
  });
}

function rowOf(line: ProjectionSummary): string[] {
  const { holder, host, pid } = line;
  return [
    line.name,
    line.workflows.join(', '),
    line.state,
    groupDigits(line.lag),
    holder === null ? 'no runner' : host === null ? holder : `${host}, pid ${pid}`,
    visible(line.error ?? ''),
  ];
}

export interface RebuildFlags extends CommonFlags {
  readonly incomplete?: boolean;
}

export async function rebuild(name: string, flags: RebuildFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const { missing } = await rebuildProjection(db, name, { incomplete: flags.incomplete === true });
    if (flags.json) return print([JSON.stringify({ name, missing })]);
    log(
      `${name} will be rebuilt by the runners. Follow it with: ${suggestCommand(['workflows', 'projections', 'list'], flags)}`,
    );
    if (missing > 0)
      log(`Incomplete: events of ${pluralize(missing, 'workflow')} were archived and will not be applied.`);
  });
}

export async function resume(name: string, flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const resumed = await resumeProjection(db, name);
    if (flags.json) return print([JSON.stringify({ name, resumed })]);
    log(resumed ? `${name} will retry the event.` : `${name} is not parked.`);
  });
}

export async function remove(name: string, flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    await removeProjection(db, name);
    if (flags.json) return print([JSON.stringify({ name, removed: true })]);
    log(`${name} removed; its tables stay. A runner that exports it starts it from the beginning.`);
  });
}
