import { describe, expect, it } from 'vitest';
import { base62Sum } from '../../checks/token-checksum.ts';
import { LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, type Match } from '../../detector.ts';
import { REASON } from '../../reasons.ts';
import { issuedToken, shortened } from './issued-token.ts';
import { syntheticSecret } from './synthetic-secret.ts';

const random = syntheticSecret(30, 'azAZ09');
const proven = `tok_${random}${base62Sum(random)}`;
const detector = issuedToken({
  id: 'TOKEN',
  title: 'A token',
  prefixes: ['tok_'],
  length: [36, 300],
  alphabet: 'azAZ09__',
  checksum: (body) => (body.length === 36 ? body.slice(-6) === base62Sum(body.slice(0, -6)) : null),
});

function verified(text: string): Match {
  const bytes = Buffer.alloc(LOOKBEHIND_BYTES + text.length + LOOKAHEAD_BYTES);
  bytes.write(text, LOOKBEHIND_BYTES, 'latin1');
  const match: Match = {
    start: 0,
    end: 0,
    confidence: detector.confidence,
    reasons: 0,
    rejectReason: '',
    entropy: 0,
    hasLabel: () => false,
  };
  if (!detector.verify(bytes, LOOKBEHIND_BYTES + text.indexOf('tok_'), match) && match.rejectReason === '')
    throw new Error('rejected without a reason');
  return match;
}

describe('an issued token', () => {
  it('with the right checksum is proven', () => {
    const { reasons, confidence, end, start } = verified(proven);
    expect(reasons).toBe(REASON.issuer | REASON.checksum);
    expect(confidence).toBe(0.95);
    expect(end - start).toBe(proven.length);
  });

  it('with a wrong checksum is reported with less confidence', () => {
    const { reasons, confidence } = verified(`${proven.slice(0, -1)}${proven.endsWith('7') ? '8' : '7'}`);
    expect(reasons).toBe(REASON.issuer);
    expect(confidence).toBeLessThan(0.95);
    expect(confidence).toBeGreaterThanOrEqual(0.5);
  });

  it('of a type without checksum keeps its confidence', () => {
    expect(verified(`tok_${syntheticSecret(60, 'azAZ09')}`)).toMatchObject({
      reasons: REASON.issuer,
      confidence: 0.95,
    });
  });

  it.each([
    ['too short', proven.slice(0, -1), 'length'],
    ['a piece of a word', `a${proven}`, 'stands alone'],
    ['inside a run of its own characters', `_${proven}`, 'stands alone'],
    ['filled with one character', `tok_${'x'.repeat(36)}`, 'placeholder'],
    ['a name', `tok_${'some_name_of_a_thing_that_goes_on_and_on'}`, 'placeholder'],
    ['counting', `tok_${'0123456789'}${random}`, 'placeholder'],
    ['repetitive', `tok_${'aB3dE'.repeat(8)}`, 'entropy'],
  ])('that is %s is rejected', (_, text, check) => {
    expect(verified(text).rejectReason).toBe(check);
  });
});

describe('the part of a prefix that a mask shows', () => {
  it.each([
    ['ghp_', 'ghp_'],
    ['sk-ant-api03-', 'sk-ant-'],
    ['access_token$production$', 'access_'],
    ['AAAAAAAAAAAAAAAAAAAAA', ''],
  ])('of %s is %j', (prefix, shown) => expect(shortened(prefix)).toBe(shown));
});
