import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The header `Seine-Signature`: an HMAC of time and body, so that neither replayed nor changed deliveries
 * are accepted.
 */
export function hmacSignature(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export interface Received {
  /** `Seine-Signature`. Several, separated by commas, during a rotation of the secret. */
  readonly signature: string | undefined;
  /** `Seine-Timestamp`, seconds since 1970. */
  readonly timestamp: string | undefined;
  /** The raw body, not parsed and serialised again. */
  readonly body: string;
}

export interface Expected {
  /** Any of these is accepted: two during a rotation of the secret. */
  readonly secrets: readonly string[];
  /** Seconds since 1970. */
  readonly now: number;
  /** Maximum difference between the delivery's time and now. */
  readonly toleranceSeconds?: number;
}

/** For receivers: verifies that a delivery was signed with the secret, recently. */
export function verifySignature(received: Received, expected: Expected): boolean {
  const { secrets, now, toleranceSeconds = 300 } = expected;
  const timestamp = /^\d{1,15}$/.test(received.timestamp ?? '') ? Number(received.timestamp) : Number.NaN;
  if (!(Math.abs(now - timestamp) <= toleranceSeconds)) return false; // negated, so that NaN is rejected, too
  const given = (received.signature ?? '').split(',').map((each) => each.trim());
  return secrets.some((secret) => {
    const correct = hmacSignature(secret, timestamp, received.body);
    return given.some((each) => sameText(each, correct));
  });
}

/** Compares in constant time. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
