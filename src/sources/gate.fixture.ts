import { type Gate, OPEN_GATE, type RequestKind } from './gate.ts';

/** A gate that lets everything pass and remembers it, for tests. */
export interface GateLog extends Gate {
  readonly passed: { readonly kind: RequestKind; readonly bytes: number }[];
  /** What the provider wished each time, in milliseconds. */
  readonly throttles: (number | null)[];
}

/** `before`: called with the number of each request, from 1 on, before it may be sent. */
export function createGateLog(before: (request: number) => void | Promise<void> = () => {}): GateLog {
  const passed: GateLog['passed'] = [];
  const throttles: GateLog['throttles'] = [];
  return {
    passed,
    throttles,
    async pass(kind, bytes, signal) {
      await OPEN_GATE.pass(kind, bytes, signal);
      passed.push({ kind, bytes });
      await before(passed.length);
    },
    throttled: (ms) => void throttles.push(ms),
  };
}
