/** What `decide` may return besides events. */

/** Rejects the command in the current state. Nothing is written. */
export class Rejection {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export function reject(reason: string): Rejection {
  return new Rejection(reason);
}

/** The workflow restarts with this state: earlier events are no longer needed for it, and may be archived. */
export class Continuation<State> {
  readonly state: State;
  constructor(state: State) {
    this.state = state;
  }
}

export function continueAsNew<State>(state: State): Continuation<State> {
  return new Continuation(state);
}

/** Prefix of the event types that only Seine writes. */
export const SYSTEM_EVENT_PREFIX = 'workflow.';
export const CONTINUED_EVENT = 'workflow.continued';
