/**
 * Validates the effects of a reaction. An invalid effect found here fails one workflow; found while writing, it would fail all workflows written in
 * the same transaction.
 */
import { SeineError } from '../base/errors.ts';
import { checkName } from './check-name.ts';
import { checkStartChild } from './children/check-child.ts';
import { checkCommand } from './commands/check-command.ts';
import type { AnyWorkflow } from './define.ts';
import type { Effect, Interest } from './effects.ts';
import { checkCron } from './messages/cron.ts';
import { formatValue } from './user-code/code-error.ts';
import { itemsOf } from './user-code/copy.ts';
import { checkText, checkTyped, plainJson } from './user-code/plain-json.ts';
import { MAX_WAIT_MS } from './wait.ts';
import { checkFailure, MAX_RESULT_BYTES } from './waiting/workflow-outcome.ts';

/** Limits for one event. Its effects are written in one transaction together with those of other events. */
export const MAX_EFFECTS = 10_000;
const MAX_TOTAL_BYTES = 16 << 20;
/** Limit for a subscription. */
const MAX_TAGS = 1000;

/** A copy of the effects as they will be written: later mutations of what `react` returned, or getters in it, have no influence. */
export function checkEffects(workflow: AnyWorkflow, effects: readonly Effect[]): Effect[] {
  const items = itemsOf(effects, MAX_EFFECTS, (length) => ({
    message: `${workflow.name} asks for ${length} effects of one event; the maximum is ${MAX_EFFECTS}.`,
    hint: 'Do part of it, and continue with a command to the workflow itself: after(0, { type: … }).',
  }));
  const check = new EffectCheck(workflow);
  return items.map((effect) => check.checked(effect));
}

class EffectCheck {
  readonly #workflow: AnyWorkflow;
  #bytes = 0;

  constructor(workflow: AnyWorkflow) {
    this.#workflow = workflow;
  }

  /** Each property is read once: a getter may return another value the next time. */
  checked(effect: Effect): Effect {
    const { name } = this.#workflow;
    switch (effect?.do) {
      case 'act': {
        const { action, input, key } = effect;
        this.#checkAct(action);
        if (key !== undefined) this.#checkKey(action, key);
        const plain = this.#plain(`the input of ${action}`, input ?? null);
        return { do: 'act', action, input: plain, ...(key !== undefined && { key }) };
      }
      case 'set timer':
        return this.#timer(effect);
      case 'tell': {
        const { workflow, id, command } = effect;
        checkName('The workflow of a command', workflow);
        checkName(`The id of ${workflow}`, id);
        return { do: 'tell', workflow, id, command: this.#command(`the command to ${workflow}`, command) };
      }
      case 'subscribe':
        return this.#subscription(effect);
      case 'cancel action': {
        const { action } = effect;
        checkName('The name of an action', action);
        return { do: 'cancel action', action };
      }
      case 'cancel timer': {
        const { name: timer } = effect;
        checkName('The name of a timer', timer);
        return { do: 'cancel timer', name: timer };
      }
      case 'unsubscribe': {
        const { name: subscription } = effect;
        checkName('The name of a subscription', subscription);
        return { do: 'unsubscribe', name: subscription };
      }
      case 'start child': {
        const { workflow, id, command, name: childName, onParentEnd } = effect;
        const child = { do: 'start child', workflow, id, command, name: childName, onParentEnd } as const;
        checkStartChild(this.#workflow, child);
        return { ...child, command: this.#command(`the first command of the child ${workflow}`, command) };
      }
      case 'cancel child': {
        const { workflow, id } = effect;
        checkName('The workflow of a child', workflow);
        checkName(`The id of ${workflow}`, id);
        return { do: 'cancel child', workflow, id };
      }
      case 'complete': {
        const { result } = effect;
        if (result === undefined) return { do: 'complete' };
        return { do: 'complete', result: this.#plain('the result', result, MAX_RESULT_BYTES) };
      }
      case 'fail': {
        const { error } = effect;
        checkFailure(this.#workflow, error);
        return { do: 'fail', error };
      }
      default:
        throw usageError(`${name} returns something that is not an effect: ${formatValue(effect)}.`);
    }
  }

  #checkAct(action: string): void {
    const { name, actions = {} } = this.#workflow;
    if (typeof action === 'string' && Object.hasOwn(actions, action)) return;
    const shownName = typeof action === 'string' ? action : formatValue(action);
    throw new SeineError('usage', `${name} requests the action ${shownName}, which it does not define.`, {
      hint: `Add it to the definition: actions: { ${shownName}: async (input) => … }.`,
    });
  }

  #checkKey(action: string, key: unknown): void {
    if (typeof key !== 'string' || key === '' || !key.isWellFormed())
      throw usageError(`${this.#workflow.name}: the key of ${action} must be a text that is not empty.`);
    checkName(`The key of ${action}`, key);
  }

  #timer({ name, command, when }: Extract<Effect, { do: 'set timer' }>): Effect {
    checkName('The name of a timer', name);
    const checked = this.#command(`the command of the timer ${name}`, command);
    checkCommand(this.#workflow, `(timer ${name})`, checked);
    if ('cron' in when) {
      const { cron, zone } = when;
      for (const text of [cron, zone]) checkText(`The calendar of the timer ${name}`, text);
      checkCron(cron, zone);
      return { do: 'set timer', name, command: checked, when: { cron, zone } };
    }
    if ('at' in when) {
      const { at } = when;
      checkInstant(this.#workflow, name, at);
      return { do: 'set timer', name, command: checked, when: { at } };
    }
    const { afterMs } = when;
    if (!(typeof afterMs === 'number' && afterMs >= 0 && afterMs <= MAX_WAIT_MS))
      throw usageError(
        `${this.#workflow.name} sets the timer ${name} to ${formatValue(afterMs)} ms, which is not a valid delay.`,
      );
    return { do: 'set timer', name, command: checked, when: { afterMs } };
  }

  #subscription({ name, to }: Extract<Effect, { do: 'subscribe' }>): Effect {
    checkName('The name of a subscription', name);
    if (typeof to !== 'object' || to === null) throw usageError(`${name} subscribes to ${formatValue(to)}.`);
    const { workflow, id, type, tags, everyTag } = to;
    for (const part of [workflow, id, type]) checkName(`What ${name} subscribes to`, part ?? '');
    const known = {
      workflow,
      id,
      type,
      tags: tags === undefined ? undefined : this.#tags(name, tags),
      everyTag: everyTag === undefined ? undefined : everyTag === true,
    };
    return { do: 'subscribe', name, to: withoutUndefined(known) };
  }

  #tags(name: string, tags: readonly string[]): readonly string[] {
    if (!Array.isArray(tags))
      throw usageError(`${name} subscribes to the tags ${formatValue(tags)}, which are not an array.`);
    const copy: readonly string[] = itemsOf(tags, MAX_TAGS, (length) => ({
      message: `${name} subscribes to ${length} tags; the maximum is ${MAX_TAGS}.`,
      hint: 'Subscribe under several names.',
    }));
    for (const tag of copy) checkText(`A tag that ${name} subscribes to`, tag);
    return this.#plain(`the tags of the subscription ${name}`, copy);
  }

  /** Validates the copy, which is what gets written. */
  #command<T extends object>(what: string, command: T): T {
    checkTyped(what, command);
    const plain = this.#plain(what, command);
    checkTyped(what, plain);
    return plain;
  }

  #plain<T>(what: string, value: T, max?: number): T {
    const { value: plain, bytes } = plainJson(`${this.#workflow.name}: ${what}`, value, max);
    this.#bytes += bytes;
    if (this.#bytes > MAX_TOTAL_BYTES)
      throw new SeineError(
        'limit',
        `The effects of one event have more than ${MAX_TOTAL_BYTES} bytes together.`,
        { hint: 'Keep large things elsewhere, and their address in commands and inputs.' },
      );
    return plain;
  }
}

function withoutUndefined(interest: { [K in keyof Interest]: Interest[K] | undefined }): Interest {
  return Object.fromEntries(Object.entries(interest).filter(([, value]) => value !== undefined));
}

/** The range of years that PostgreSQL and JavaScript share. */
function checkInstant(workflow: AnyWorkflow, name: string, at: string): void {
  const year = typeof at === 'string' ? new Date(at).getUTCFullYear() : Number.NaN;
  if (!(year >= 1 && year <= 9999))
    throw usageError(
      `${workflow.name} sets the timer ${name} to ${formatValue(at)}, which is not a supported time.`,
    );
}

function usageError(message: string): SeineError {
  return new SeineError('usage', message, { hint: 'Correct `react` in the definition of the workflow.' });
}
