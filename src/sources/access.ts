import type { RequestGate } from './request-gate.ts';
import type { SourceSettings } from './settings.ts';
import type { InitialState } from './source.ts';

/** How a source is reached; a local one needs nothing of it but the gate and its initial state. */
export interface Access {
  readonly settings?: SourceSettings;
  readonly gate?: RequestGate;
  /** What the source was when its scan began: what is missing of it now is an error, not deleted. */
  readonly initialState?: InitialState;
  /** How long an outage of the provider is waited out before a request fails: 60,000 unless told. */
  readonly patienceMs?: number;
  /** How long an answer, or the next piece of one, is waited for: 30,000 unless told. */
  readonly answerMs?: number;
}
