/**
 * Whether what a reaction asks for can be written down. Found here, it is a mistake of one workflow; found while it is written, it would
 * hold up all that are written with it.
 */
import { messageOf, SeineError } from '../base/errors.ts';
import { checkName } from './check-name.ts';
import type { AnyWorkflow } from './define.ts';
import type { Effect } from './effects.ts';
import { checkCron } from './messages/cron.ts';

export function checkEffects(workflow: AnyWorkflow, effects: readonly Effect[]): void {
  for (const effect of effects) checkEffect(workflow, effect);
}

function checkEffect(workflow: AnyWorkflow, effect: Effect): void {
  switch (effect?.do) {
    case 'act':
      return checkAct(workflow, effect.action, effect.input, effect.key);
    case 'set timer':
      return checkTimer(workflow, effect);
    case 'tell':
      checkName(`The id of ${effect.workflow}`, effect.id);
      return checkJson(workflow, `the command to ${effect.workflow}`, effect.command);
    case 'subscribe':
      return checkSubscription(effect);
    case 'cancel action':
    case 'cancel timer':
    case 'unsubscribe':
    case 'complete':
      return;
    default:
      throw mistake(`${workflow.name} asks for something that is no effect: ${JSON.stringify(effect)}.`);
  }
}

function checkAct(workflow: AnyWorkflow, action: string, input: unknown, key: unknown): void {
  if (!Object.hasOwn(workflow.actions ?? {}, action)) {
    throw new SeineError(
      'usage',
      `${workflow.name} asks for the action ${action}, and has none of this name.`,
      {
        hint: `Add it to the definition: actions: { ${action}: async (input) => … }.`,
      },
    );
  }
  checkJson(workflow, `the input of ${action}`, input ?? null);
  if (key === undefined) return;
  if (typeof key !== 'string' || key === '' || !key.isWellFormed())
    throw mistake(`${workflow.name}: the key of ${action} must be a text that is not empty.`);
  checkName(`The key of ${action}`, key);
}

function checkSubscription({ name, to }: Extract<Effect, { do: 'subscribe' }>): void {
  checkName('The name of a subscription', name);
  for (const part of [to.workflow, to.id, to.type]) checkName(`What ${name} subscribes to`, part ?? '');
}

function checkTimer(
  workflow: AnyWorkflow,
  { name, command, when }: Extract<Effect, { do: 'set timer' }>,
): void {
  checkName('The name of a timer', name);
  checkJson(workflow, `the command of the timer ${name}`, command);
  if ('cron' in when) checkCron(when.cron, when.zone);
  else if (!(when.afterMs >= 0 && when.afterMs <= LONGEST_MS))
    throw mistake(`${workflow.name} sets the timer ${name} to ${when.afterMs} ms, which is no time to wait.`);
}

function checkJson(workflow: AnyWorkflow, what: string, value: unknown): void {
  const because = whyNoJson(value);
  if (because !== null) throw mistake(`${workflow.name}: ${what} can't be written as JSON: ${because}.`);
}

function whyNoJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) === undefined ? `it is ${typeof value}` : null;
  } catch (error) {
    return messageOf(error).split('\n')[0]!;
  }
}

function mistake(message: string): SeineError {
  return new SeineError('usage', message, { hint: 'Correct `react` in the definition of the workflow.' });
}

/** A thousand years: PostgreSQL can count that far. */
const LONGEST_MS = 1000 * 365 * 24 * 60 * 60 * 1000;
