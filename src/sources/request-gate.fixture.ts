import { type RequestGate, type RequestKind, UNLIMITED_GATE } from './request-gate.ts';

/** A gate without limits that records its calls, for tests. */
export interface RequestGateLog extends RequestGate {
  readonly passed: { readonly kind: RequestKind; readonly bytes: number }[];
  /** The provider's Retry-After each time, in milliseconds. */
  readonly throttles: (number | null)[];
}

/** `before`: called with the number of each request, from 1 on, before it may be sent. */
export function createRequestGateLog(
  before: (request: number) => void | Promise<void> = () => {},
): RequestGateLog {
  const passed: RequestGateLog['passed'] = [];
  const throttles: RequestGateLog['throttles'] = [];
  return {
    passed,
    throttles,
    async admit(kind, bytes, signal) {
      await UNLIMITED_GATE.admit(kind, bytes, signal);
      passed.push({ kind, bytes });
      await before(passed.length);
    },
    throttled: (ms) => void throttles.push(ms),
  };
}
