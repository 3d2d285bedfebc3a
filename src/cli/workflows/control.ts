/** `seine workflows pause`, `resume`, `cancel`, `retry` and `signal`. None of them needs the code of a workflow. */
import { SeineError } from '../../base/errors.ts';
import { scanWorkflow } from '../../scans/lifecycle/scan-workflow.ts';
import { cancelWorkflow, pauseWorkflow, resumeWorkflow } from '../../workflows/control/control.ts';
import { retryParked } from '../../workflows/control/parked.ts';
import { signalWorkflow } from '../../workflows/control/signal.ts';
import type { CommonFlags } from '../options.ts';
import { pluralize } from '../output/quantities.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withApp } from '../with-app.ts';
import { log, parseCommand, parseDuration, parseTime, print } from './print.ts';

export interface ControlFlags extends CommonFlags {
  readonly reason?: string;
}

const VERBS = { pause: pauseWorkflow, resume: resumeWorkflow, cancel: cancelWorkflow };
const STATUS = { running: 'running', paused: 'paused', completed: 'completed', cancelled: 'cancelled' };

export async function control(
  verb: keyof typeof VERBS,
  workflow: string,
  id: string,
  flags: ControlFlags,
): Promise<void> {
  if (workflow === scanWorkflow.name) throw controlExternally(verb, id, flags);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const { changed, status } = await VERBS[verb](db, { tenant, workflow, id }, flags.reason);
    if (flags.json) return print([JSON.stringify({ workflow, id, status, changed })]);
    log(`${workflow} ${id} ${changed ? 'is' : 'was'} ${STATUS[status]}${changed ? ' now' : ' already'}.`);
    if (verb === 'pause') log(`Resume with: ${suggestCommand(['workflows', 'resume', workflow, id], flags)}`);
  });
}

/** The events of a scan only record what happened; appending to them would not control the scan. */
function controlExternally(verb: keyof typeof VERBS, id: string, flags: ControlFlags): SeineError {
  return new SeineError('usage', `Scans are not controlled with seine workflows ${verb}.`, {
    hint: `Use: ${suggestCommand([verb, id], flags)}`,
  });
}

export async function retry(workflow: string, id: string | undefined, flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const retried = await retryParked(db, { tenant, workflow, id });
    if (flags.json) return print([JSON.stringify(retried)]);
    const { reactions, messages } = retried;
    if (reactions + messages === 0) return log(`Nothing of ${workflow}${id ? ` ${id}` : ''} is parked.`);
    log(`${pluralize(reactions, 'reaction')} and ${pluralize(messages, 'message')} queued for retry.`);
  });
}

export interface SignalFlags extends CommonFlags {
  readonly commandId?: string;
  readonly at?: string;
  readonly after?: string;
}

export async function signal(workflow: string, id: string, text: string, flags: SignalFlags): Promise<void> {
  const command = parseCommand(text);
  const at = flags.at === undefined ? undefined : parseTime('--at', flags.at);
  const afterMs = flags.after === undefined ? undefined : parseDuration('--after', flags.after);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const options = { commandId: flags.commandId, at, afterMs };
    const { message, due } = await signalWorkflow(db, { tenant, workflow, id }, command, options);
    if (flags.json) return print([JSON.stringify({ message, due })]);
    log(
      `${command.type} queued for ${workflow} ${id} as message ${message}; a runner delivers it${at || afterMs ? ` at ${due.toISOString()} or later` : ''}.`,
    );
  });
}
