/** What `seine workflows projections list`, `rebuild`, `resume` and `remove` do. */
import {
  rebuildProjection,
  removeProjection,
  resumeProjection,
} from '../../workflows/projections/control-projections.ts';
import { type ProjectionLine, projectionLines } from '../../workflows/projections/projection-store.ts';
import { commandAgain } from '../again.ts';
import type { CommonFlags } from '../options.ts';
import { counted, grouped } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { withApp } from '../with-app.ts';
import { print, say } from './print.ts';

/** Events of a workflow that are counted as waiting, at most. */
const MOST_LAG = 10_000;

export async function listProjections(flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const lines = await projectionLines(db, null, MOST_LAG);
    if (flags.json) return print(lines.map((line) => JSON.stringify(line)));
    if (lines.length === 0)
      return say('There is no projection: a runner whose module exports one begins it.');
    const head = ['PROJECTION', 'WORKFLOWS', 'STATE', 'WAITING', 'UPDATED BY', 'ERROR'];
    process.stdout.write(
      table(['left', 'left', 'left', 'right', 'left', 'left'], [head, ...lines.map(rowOf)]),
    );
    for (const { name, state } of lines)
      if (state === 'parked')
        say(`Correct the cause, then: ${commandAgain(['workflows', 'projections', 'resume', name], flags)}`);
  });
}

function rowOf(line: ProjectionLine): string[] {
  const { holder, host, pid } = line;
  return [
    line.name,
    line.workflows.join(', '),
    line.state,
    grouped(line.lag),
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
    say(`${name} is rebuilt by the runners: ${commandAgain(['workflows', 'projections', 'list'], flags)}`);
    if (missing > 0)
      say(`It is not complete: events of ${counted(missing, 'workflow')} were archived and are not applied.`);
  });
}

export async function resume(name: string, flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    const resumed = await resumeProjection(db, name);
    if (flags.json) return print([JSON.stringify({ name, resumed })]);
    say(resumed ? `${name} tries the event again.` : `${name} was not stopped.`);
  });
}

export async function remove(name: string, flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db }) => {
    await removeProjection(db, name);
    if (flags.json) return print([JSON.stringify({ name, removed: true })]);
    say(`${name} is removed; its tables are left. A runner that exports it begins it anew when it starts.`);
  });
}
