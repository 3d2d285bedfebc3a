import type { Gate } from './gate.ts';
import type { SourceSettings } from './settings.ts';

/** How a source is reached; a local one needs nothing of it but the gate. */
export interface Access {
  readonly settings?: SourceSettings;
  readonly gate?: Gate;
  /** How long an outage of the provider is waited out before a request fails: 60,000 unless told. */
  readonly patienceMs?: number;
}
