/** Checks the type of a command, if the workflow's definition lists its commands. */
import { SeineError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Typed } from '../typed.ts';

export function checkCommand({ name, commands }: AnyWorkflow, id: string, command: Typed): void {
  const type: unknown = command?.type;
  if (typeof type !== 'string')
    throw new SeineError('usage', `A command to ${name} ${id} has no type.`, {
      hint: 'A command is an object with a type: { type: "place", … }.',
    });
  if (!commands || commands.includes(type)) return;
  throw new SeineError('usage', `${name} ${id} knows no command "${type}".`, {
    hint: didYouMean(type, commands, `It takes: ${commands.join(', ')}.`).replace(/^d/, 'D'),
  });
}
