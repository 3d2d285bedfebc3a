/** What `seine workflows pause`, `resume`, `cancel`, `retry` and `signal` do: nothing here needs the code of a workflow. */
import { cancelWorkflow, pauseWorkflow, resumeWorkflow } from '../../workflows/control/control.ts';
import { retryParked } from '../../workflows/control/parked.ts';
import { signalWorkflow } from '../../workflows/control/signal.ts';
import { commandAgain } from '../again.ts';
import type { CommonFlags } from '../options.ts';
import { counted } from '../output/quantities.ts';
import { withApp } from '../with-app.ts';
import { print, readCommand, readSpan, readTime, say } from './print.ts';

export interface SteerFlags extends CommonFlags {
  readonly reason?: string;
}

const VERBS = { pause: pauseWorkflow, resume: resumeWorkflow, cancel: cancelWorkflow };
const STATUS = { running: 'running', paused: 'paused', completed: 'completed', cancelled: 'cancelled' };

export async function steer(
  verb: keyof typeof VERBS,
  workflow: string,
  id: string,
  flags: SteerFlags,
): Promise<void> {
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const { changed, status } = await VERBS[verb](db, { tenant, workflow, id }, flags.reason);
    if (flags.json) return print([JSON.stringify({ workflow, id, status, changed })]);
    say(`${workflow} ${id} ${changed ? 'is' : 'was'} ${STATUS[status]}${changed ? ' now' : ' already'}.`);
    if (verb === 'pause') say(`Go on with: ${commandAgain(['workflows', 'resume', workflow, id], flags)}`);
  });
}

export async function retry(workflow: string, id: string | undefined, flags: CommonFlags): Promise<void> {
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const retried = await retryParked(db, { tenant, workflow, id });
    if (flags.json) return print([JSON.stringify(retried)]);
    const { reactions, messages } = retried;
    if (reactions + messages === 0) return say(`Nothing of ${workflow}${id ? ` ${id}` : ''} is parked.`);
    say(`${counted(reactions, 'reaction')} and ${counted(messages, 'message')} will be tried again.`);
  });
}

export interface SignalFlags extends CommonFlags {
  readonly commandId?: string;
  readonly at?: string;
  readonly after?: string;
}

export async function signal(workflow: string, id: string, text: string, flags: SignalFlags): Promise<void> {
  const command = readCommand(text);
  const at = flags.at === undefined ? undefined : readTime('--at', flags.at);
  const afterMs = flags.after === undefined ? undefined : readSpan('--after', flags.after);
  await withApp(flags, async ({ db, config: { tenant } }) => {
    const options = { commandId: flags.commandId, at, afterMs };
    const { message, due } = await signalWorkflow(db, { tenant, workflow, id }, command, options);
    if (flags.json) return print([JSON.stringify({ message, due })]);
    say(
      `${command.type} is left for ${workflow} ${id} as message ${message}; runners deliver it${at || afterMs ? ` from ${due.toISOString()} on` : ''}.`,
    );
  });
}
