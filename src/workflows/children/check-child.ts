/** Validates the start of a child. An error found here fails one workflow; found while writing, it would fail all workflows written with it. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { checkName } from '../check-name.ts';
import { SYSTEM_EVENT_PREFIX } from '../decision.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Typed } from '../typed.ts';
import type { StartChild } from './child.ts';

export function checkStartChild(parent: AnyWorkflow, effect: StartChild): void {
  const { workflow, id, command, name, onParentEnd } = effect;
  const what = `The child ${workflow} of ${parent.name}`;
  for (const text of [workflow, id, name])
    if (typeof text !== 'string') throw usageError(`${what} has no id or no name.`);
  checkName(`The id of ${workflow}`, id);
  checkName(`The name of the child ${workflow}`, name);
  if (id === '') throw usageError(`${what} has an empty id.`);
  if (`${name}.`.startsWith(SYSTEM_EVENT_PREFIX))
    throw usageError(`${what} can't be called ${name}.`, 'Give another: { name }.');
  if (Object.hasOwn(parent.actions ?? {}, name))
    throw usageError(
      `${what} has events of the same names as the action ${name}.`,
      'Give it another name: { name }.',
    );
  if (onParentEnd !== 'cancel' && onParentEnd !== 'abandon')
    throw usageError(`${what}: onParentEnd is "cancel" or "abandon", not ${JSON.stringify(onParentEnd)}.`);
  checkCommand(what, command);
}

function checkCommand(what: string, command: unknown): void {
  if (typeof (command as Partial<Typed> | null)?.type !== 'string')
    throw usageError(`${what}: its first command has no type.`);
  try {
    JSON.stringify(command);
  } catch (error) {
    throw usageError(
      `${what}: its first command can't be written as JSON: ${messageOf(error).split('\n')[0]}.`,
    );
  }
}

function usageError(
  message: string,
  hint = 'Correct `react` in the definition of the workflow.',
): SeineError {
  return new SeineError('usage', message, { hint });
}
