import type { RequestGate } from './request-gate.ts';
import type { SourceSettings } from './settings.ts';
import type { InitialState } from './source.ts';

/** How to access a source. Local sources use only the gate and the initial state. */
export interface Access {
  readonly settings?: SourceSettings;
  readonly gate?: RequestGate;
  /** The state of the source when its scan began: what is missing compared to it is reported as an error, not as deleted. */
  readonly initialState?: InitialState;
  /** How long a request is retried during an outage of the provider; 60,000 by default. */
  readonly retryTimeoutMs?: number;
  /** Timeout for a response, or for its next chunk; 30,000 by default. */
  readonly answerMs?: number;
}
