/** `seine workflows replay`, `simulate` and `send`. They need the code of the workflow. */

import { parseWholeNumber } from '../../config.ts';
import { WorkflowClient } from '../../workflows/client.ts';
import type { CommandResult } from '../../workflows/commands/handle.ts';
import type { AnyWorkflow } from '../../workflows/define.ts';
import { replay, simulate } from '../../workflows/simulate.ts';
import { type CommonFlags, configOf } from '../options.ts';
import { pluralize } from '../output/quantities.ts';
import { visible } from '../output/visible.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withApp } from '../with-app.ts';
import { chooseWorkflows, type ModuleFlags } from './load-modules.ts';
import { log, parseCommand, print } from './print.ts';

export interface ReplayFlags extends CommonFlags, ModuleFlags {
  readonly version?: string;
  readonly commandId?: string;
}

export async function replayOne(name: string, id: string, flags: ReplayFlags): Promise<void> {
  const workflow = await codeOf(name, flags);
  const version =
    flags.version === undefined
      ? undefined
      : parseWholeNumber('--version', flags.version, 0, 0, Number.MAX_SAFE_INTEGER);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const folded = await replay(db, workflow, tenant, id, version);
    if (!flags.json) log(`${name} ${id} after ${pluralize(folded.version, 'event')}:`);
    print([JSON.stringify(flags.json ? folded : folded.state, null, 2)]);
  });
}

/** Returns false if the command would be rejected. */
export async function simulateOne(
  name: string,
  id: string,
  text: string,
  flags: ReplayFlags,
): Promise<boolean> {
  const command = parseCommand(text);
  const workflow = await codeOf(name, flags);
  return withApp(flags, async ({ db, config: { tenant } }) => {
    const simulated = await simulate(db, workflow, tenant, id, command);
    const isAccepted = simulated.outcome === 'accepted';
    if (flags.json) print([JSON.stringify(simulated, null, 2)]);
    else if (!isAccepted) log(`${command.type} would be rejected: ${simulated.reason}`);
    else {
      log(`${command.type} would be accepted. Nothing was written.`);
      print([
        ...simulated.events.map((event) => `event   ${visible(JSON.stringify(event))}`),
        ...simulated.effects.map((effect) => `effect  ${visible(JSON.stringify(effect))}`),
        `state   ${visible(JSON.stringify(simulated.state))}`,
      ]);
    }
    return isAccepted;
  });
}

/** Returns false if the command had no effect. */
export async function sendOne(name: string, id: string, text: string, flags: ReplayFlags): Promise<boolean> {
  const command = parseCommand(text);
  const workflow = await codeOf(name, flags);
  return withApp(flags, async ({ db, config: { tenant } }) => {
    const client = new WorkflowClient(db, tenant);
    const { commandId } = flags;
    const outcome = await client.send(workflow, id, command, commandId === undefined ? {} : { commandId });
    if (flags.json) print([JSON.stringify(outcome)]);
    else log(outcomeText(outcome, `${name} ${id}`, suggestCommand(['workflows', 'resume', name, id], flags)));
    return outcome.outcome === 'accepted' || outcome.outcome === 'repeated';
  });
}

function outcomeText(outcome: CommandResult, who: string, resume: string): string {
  switch (outcome.outcome) {
    case 'accepted': {
      const events = outcome.events.map(({ type }) => type).join(', ');
      return `${who} accepted the command: ${events || 'no event'}; now at version ${outcome.version}.`;
    }
    case 'repeated':
      return `${who} had already accepted the command; at version ${outcome.version}.`;
    case 'rejected':
      return `${who} rejected the command: ${outcome.reason}`;
    case 'paused':
      return `${who} is paused and rejects commands. Resume with: ${resume}`;
    default:
      return `${who} did not accept the command.`;
  }
}

async function codeOf(name: string, flags: ReplayFlags): Promise<AnyWorkflow> {
  const [workflow] = await chooseWorkflows(configOf(flags), flags, [name]);
  return workflow!;
}
