/** What `decide` may answer besides events. */

/** The command makes no sense now. Nothing is written. */
export class Rejection {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export function reject(reason: string): Rejection {
  return new Rejection(reason);
}

/** The workflow begins anew with this state: what came before is no longer needed to know it, and may be put away. */
export class Continuation<State> {
  readonly state: State;
  constructor(state: State) {
    this.state = state;
  }
}

export function continueAsNew<State>(state: State): Continuation<State> {
  return new Continuation(state);
}

/** Written by Seine itself, never by a workflow: the beginning of their types. */
export const SYSTEM_EVENT_PREFIX = 'workflow.';
export const CONTINUED_EVENT = 'workflow.continued';
