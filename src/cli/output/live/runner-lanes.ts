/** A lane for each runner of workflows: who, what it holds, and whether it is still there. */
import type { RunnerNow, Surroundings } from '../../../scans/monitor/snapshot.ts';
import { ellipsis, type Look } from '../look.ts';
import { counted, grouped } from '../quantities.ts';
import { visible } from '../visible.ts';
import { age } from './age.ts';
import { BLANK, dotted, type Line, span } from './line.ts';

/** Empty where no workflows run. */
export function runnerLine({ workflows: { runners } }: Surroundings, look: Look): Line[] {
  if (runners.total === 0) return [];
  const stale = runners.stale > 0 ? [span(`${grouped(runners.stale)} stale`, 'red')] : BLANK;
  return [dotted([[span(counted(runners.total, 'runner'), 'bold')], stale], look)];
}

/** At most `most` lines; those for whom there is no room are counted in the last. */
export function runnerLanes({ workflows: { runners } }: Surroundings, most: number, look: Look): Line[] {
  const { list, total } = runners;
  if (most <= 0 || total === 0) return [];
  const all = total <= most && list.length === total;
  const shown = list.slice(0, all ? most : most - 1);
  const lines = shown.map((runner) => lane(runner, look));
  if (all) return lines;
  return [...lines, [span(`${ellipsis(look)} and ${grouped(total - shown.length)} more`, 'gray')]];
}

function lane({ host, pid, workflows, parts, actions, stale, seenSeconds }: RunnerNow, look: Look): Line {
  return dotted(
    [
      [span(`${visible(host)}:${pid}`)],
      stale ? [span(`stale ${age(seenSeconds)}`, 'red')] : BLANK,
      [span(counted(parts, 'part'))],
      [span(counted(actions, 'action'))],
      [span(visible(workflows.join(', ')), 'gray')],
    ],
    look,
  );
}
