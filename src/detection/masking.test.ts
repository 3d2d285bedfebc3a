import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { maskValue } from './masking.ts';

const MAX_SHOWN = 8;

/** Letters and digits that the mask left visible, apart from the issuer's public words. */
function shown(masked: string): number {
  const open = masked.replace(
    /-----BEGIN [A-Z ]+-----|hooks\.slack\.com|github_pat_|[a-z]{2}_(?:live|test)_/,
    '',
  );
  return open.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

describe.each(catalogue.map((detector) => [detector.id, detector] as const))('%s', (_, detector) => {
  const values = detector.examples.match.map((e) => (typeof e === 'string' ? e : (e.value ?? e.text)));

  it.each(values)('hides %j', (value) => {
    const masked = maskValue(detector, value);
    expect(masked).not.toBe(value);
    expect(masked).toContain('•');
    expect(shown(masked)).toBeLessThanOrEqual(MAX_SHOWN);
    if (value.length < 8) expect(shown(masked)).toBeLessThanOrEqual(1);
  });
});

it.each([
  ['CREDIT_CARD', '4111 1111 1111 1111', '4111 •••• •••• 1111'],
  ['SSN', '123-45-6789', '•••-••-6789'],
  ['EMAIL', 'jane.doe@acme.com', 'j•••@a•••.com'],
  ['PHONE', '(212) 555-0142', '(•••) •••-0142'],
  ['NAME', 'Peter Müller', 'P•••• M•••••'],
  ['ADDRESS', '742 Evergreen Terrace', '••• E•••••••• T••••••'],
  ['AWS_ACCESS_KEY', `AKIA${'QYLPMN5HFIQR7XYA'}`, 'AKIA••••••••'],
  ['PASSWORD', 'hunter2', '••••••••'],
  ['IP_ADDRESS', '203.14.92.7', '203.•••.•••.•••'],
])('%s %s is shown as %s', (id, value, masked) => {
  expect(maskValue(id, value)).toBe(masked);
});

it('an unknown detector id shows nothing', () => {
  expect(maskValue('NO_SUCH', 'anything at all')).toBe('••••••••');
});

it('the length of a secret is not visible', () => {
  expect(maskValue('PASSWORD', 'abcdefgh')).toBe(maskValue('PASSWORD', 'abcdefghijklmnop'));
});
