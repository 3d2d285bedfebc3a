/** Counters and histograms. Workflow types are attributes; ids, and the contents of commands and events, never are. */
import { type Counter, type Histogram, type MeterProvider, metrics } from '@opentelemetry/api';

export const SCOPE = 'seine/workflows';

interface Instruments {
  readonly commands: Counter;
  readonly reactions: Counter;
  readonly messages: Counter;
  readonly actionAttempts: Counter;
  readonly actionDuration: Histogram;
}

/** Created from the SDK registered now: an instrument created before the SDK was registered stays a no-op. */
let made: { readonly provider: MeterProvider; readonly instruments: Instruments } | null = null;

export function instruments(): Instruments {
  const provider = metrics.getMeterProvider();
  if (made?.provider !== provider) made = { provider, instruments: makeInstruments(provider) };
  return made.instruments;
}

function makeInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter(SCOPE);
  return {
    commands: meter.createCounter('seine.workflow.commands', {
      description: 'Commands that were decided, by outcome',
      unit: '{command}',
    }),
    reactions: meter.createCounter('seine.workflow.reactions', {
      description: 'Events that were reacted to, and reactions that failed',
      unit: '{event}',
    }),
    messages: meter.createCounter('seine.workflow.messages', {
      description: 'Messages and timers that were delivered, by outcome',
      unit: '{message}',
    }),
    actionAttempts: meter.createCounter('seine.workflow.action.attempts', {
      description: 'Attempts of actions, by outcome',
      unit: '{attempt}',
    }),
    actionDuration: meter.createHistogram('seine.workflow.action.duration', {
      description: 'Duration of an attempt of an action',
      unit: 's',
      advice: { explicitBucketBoundaries: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800] },
    }),
  };
}
