/** A lane for each runner of workflows: who, what it holds, and whether it is still there. */
import type { RunnerNow, Surroundings } from '../../../scans/monitor/snapshot.ts';
import { groupDigits, pluralize } from '../quantities.ts';
import { ellipsis, type TerminalStyle } from '../terminal-style.ts';
import { visible } from '../visible.ts';
import { age } from './age.ts';
import { EMPTY_LINE, joinWithDots, type StyledLine, span } from './styled-line.ts';

/** Empty where no workflows run. */
export function runnerLine({ workflows: { runners } }: Surroundings, look: TerminalStyle): StyledLine[] {
  if (runners.total === 0) return [];
  const stale = runners.stale > 0 ? [span(`${groupDigits(runners.stale)} stale`, 'red')] : EMPTY_LINE;
  return [joinWithDots([[span(pluralize(runners.total, 'runner'), 'bold')], stale], look)];
}

/** At most `most` lines; those for whom there is no room are counted in the last. */
export function runnerLanes(
  { workflows: { runners } }: Surroundings,
  most: number,
  look: TerminalStyle,
): StyledLine[] {
  const { list, total } = runners;
  if (most <= 0 || total === 0) return [];
  const all = total <= most && list.length === total;
  const shown = list.slice(0, all ? most : most - 1);
  const lines = shown.map((runner) => lane(runner, look));
  if (all) return lines;
  return [...lines, [span(`${ellipsis(look)} and ${groupDigits(total - shown.length)} more`, 'gray')]];
}

function lane(
  { host, pid, workflows, parts, actions, stale, seenSeconds }: RunnerNow,
  look: TerminalStyle,
): StyledLine {
  return joinWithDots(
    [
      [span(`${visible(host)}:${pid}`)],
      stale ? [span(`stale ${age(seenSeconds)}`, 'red')] : EMPTY_LINE,
      [span(pluralize(parts, 'part'))],
      [span(pluralize(actions, 'action'))],
      [span(visible(workflows.join(', ')), 'gray')],
    ],
    look,
  );
}
