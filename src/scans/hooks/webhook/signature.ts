import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header `Seine-Signature`: over the time and the body, so that neither an old nor a changed delivery passes. */
export function hmacSignature(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export interface Received {
  /** `Seine-Signature`. Several, separated by commas, while a secret is being changed. */
  readonly signature: string | undefined;
  /** `Seine-Timestamp`, seconds since 1970. */
  readonly timestamp: string | undefined;
  /** As it came, not parsed and written again. */
  readonly body: string;
}

export interface Expected {
  /** Any of these: two while a secret is being changed. */
  readonly secrets: readonly string[];
  /** Seconds since 1970. */
  readonly now: number;
  /** How old or how far ahead a delivery may be. */
  readonly toleranceSeconds?: number;
}

/** For receivers: whether this came from a Seine that knows the secret, just now. */
export function verifySignature(received: Received, expected: Expected): boolean {
  const { secrets, now, toleranceSeconds = 300 } = expected;
  const timestamp = /^\d{1,15}$/.test(received.timestamp ?? '') ? Number(received.timestamp) : Number.NaN;
  if (!(Math.abs(now - timestamp) <= toleranceSeconds)) return false; // so that NaN fails too
  const given = (received.signature ?? '').split(',').map((each) => each.trim());
  return secrets.some((secret) => {
    const wanted = hmacSignature(secret, timestamp, received.body);
    return given.some((each) => sameText(each, wanted));
  });
}

/** Takes as long for a near miss as for nonsense. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
