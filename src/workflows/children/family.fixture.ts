/** Workflows for tests of children: a parent that starts jobs and writes down what becomes of them, and jobs that start further jobs. */
import { reject } from '../decision.ts';
import { defineWorkflow, type Workflow } from '../define.ts';
import { complete, fail } from '../effects.ts';
import {
  type ChildCancelled,
  type ChildCompleted,
  type ChildFailed,
  cancelChild,
  type OnParentEnd,
  startChild,
} from './child.ts';

type Start = { readonly id: string; readonly begin?: Begin; readonly onParentEnd?: OnParentEnd };
type Begin = { readonly type: 'begin' } | { readonly type: 'refuse' } | { readonly type: 'do nothing' };

export type ParentCommand =
  | ({ readonly type: 'start' } & Start)
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'end' };
type ParentEvent =
  | ({ readonly type: 'wanted' } & Start)
  | { readonly type: 'unwanted'; readonly id: string }
  | { readonly type: 'ended' }
  | ChildCompleted<'job', string>
  | ChildFailed<'job'>
  | ChildCancelled<'job'>;
export type ParentState = readonly string[];

export type JobCommand =
  | Begin
  | { readonly type: 'finish'; readonly result: string }
  | { readonly type: 'give up' }
  | ({ readonly type: 'start' } & Start);
type JobEvent =
  | { readonly type: 'begun' }
  | { readonly type: 'finished'; readonly result: string }
  | { readonly type: 'given up' }
  | Extract<ParentEvent, { type: 'wanted' | `job.${string}` }>;

export interface Family {
  readonly parent: Workflow<ParentState, ParentCommand, ParentEvent>;
  readonly job: Workflow<ParentState, JobCommand, JobEvent>;
}

export function family(name: string): Family {
  const job: Family['job'] = defineWorkflow<ParentState, JobCommand, JobEvent>({
    name: `${name}-job`,
    initial: () => [],
    decide: (_, command) => {
      if (command.type === 'refuse') return reject('not today');
      if (command.type === 'do nothing') return [];
      if (command.type === 'begin') return { type: 'begun' };
      if (command.type === 'start') return { ...command, type: 'wanted' };
      return command.type === 'finish' ? { ...command, type: 'finished' } : { type: 'given up' };
    },
    evolve: noted,
    react: (event) => {
      if (event.type === 'wanted') return starting(event);
      if (event.type === 'finished') return complete(event.result);
      return event.type === 'given up' ? fail('it is too much') : [];
    },
  });
  const starting = ({ id, begin = { type: 'begin' }, onParentEnd }: Start) =>
    startChild(job, id, begin, { name: 'job', ...(onParentEnd && { onParentEnd }) });
  const parent = defineWorkflow<ParentState, ParentCommand, ParentEvent>({
    name: `${name}-parent`,
    initial: () => [],
    decide: (_, command) => {
      if (command.type === 'start') return { ...command, type: 'wanted' };
      return command.type === 'cancel' ? { ...command, type: 'unwanted' } : { type: 'ended' };
    },
    evolve: noted,
    react: (event) => {
      if (event.type === 'wanted') return starting(event);
      if (event.type === 'unwanted') return cancelChild(job, event.id);
      return event.type === 'ended' ? complete() : [];
    },
  });
  return { parent, job };
}

/** What its children ended with, in order. */
function noted(state: ParentState, event: ParentEvent | JobEvent): ParentState {
  if (event.type === 'job.completed') return [...state, `${event.id} completed: ${event.result}`];
  if (event.type === 'job.failed') return [...state, `${event.id} failed: ${event.error}`];
  return event.type === 'job.cancelled' ? [...state, `${event.id} cancelled`] : state;
}
