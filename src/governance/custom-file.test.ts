import { describe, expect, it } from 'vitest';
import { parseRuleSet } from './rule-file.ts';
import { isDetectorOn } from './rule-set.ts';
import { DETECTOR_INFOS } from './rules.fixture.ts';

const read = (text: string) => parseRuleSet(text, 'rules.yaml', DETECTOR_INFOS);

const FULL = `custom:
  - id: badge
    title: Badge number
    category: direct_identifier
    regulations: [gdpr]
    risk: 7
    pattern: 'B\\d{5}[A-Z]'
    checks: [has_digit, 'entropy > 1']
    context: [Badge, staff-no]
    avoid: [invoice]
    labelled: true
    confidence: 0.8
    examples:
      match:
        - { text: 'badge B12345X', value: B12345X }
        - { text: B12345X, field: staff_no }
      not: [B12345X, B12345]
`;

/** A minimal detector; `lines` replace or add keys. */
function small(lines: string): string {
  const keys = new Map([
    ['id', 'BADGE'],
    ['category', 'contact'],
    ['pattern', "'B\\d{5}'"],
    ['examples', '{ match: [B12345] }'],
  ]);
  for (const line of lines.split('\n').filter((each) => each !== '')) {
    const [key = '', value = ''] = line.split(/:(.*)/s);
    if (value.trim() === 'none') keys.delete(key);
    else keys.set(key, value.trim());
  }
  return `custom:\n  - ${[...keys].map(([key, value]) => `${key}: ${value}`).join('\n    ')}\n`;
}

describe('custom detectors in a rule set', () => {
  it('supports all keys', () => {
    expect(read(FULL).custom).toEqual([
      {
        id: 'BADGE',
        title: 'Badge number',
        category: 'direct_identifier',
        regulations: ['gdpr'],
        risk: 7,
        pattern: 'B\\d{5}[A-Z]',
        checks: ['has_digit', 'entropy>1'],
        context: { words: ['badge', 'staff no'], avoid: ['invoice'] },
        labelled: true,
        confidence: 0.8,
        examples: {
          match: [
            { text: 'badge B12345X', value: 'B12345X' },
            { text: 'B12345X', field: 'staff_no' },
          ],
          not: ['B12345X', 'B12345'],
        },
      },
    ]);
  });

  it('can be referenced in the rest of the file, and are enabled unless excluded', () => {
    const on = (more: string) => isDetectorOn(read(small('') + more), 'BADGE');
    expect(on('')).toBe(true);
    expect(on('detectors: { include: [SSN] }')).toBe(true);
    expect(on('packs: [pci]')).toBe(true);
    expect(on('detectors: { exclude: [badge] }')).toBe(false);
    expect(read(`${small('')}thresholds: { BADGE: 0.7 }\nweights: { badge: 2 }`).weights).toEqual({
      BADGE: 2,
    });
    expect(read(`${small('')}policies: { own: { p: { any_of: [badge] } } }`).policies.own).toHaveLength(1);
  });

  it.each([
    [small('id: none'), '2:5: a custom detector needs an id'],
    [small('pattern: none'), '2:5: a custom detector needs a pattern'],
    [small('examples: none'), '2:5: a custom detector needs examples'],
    [small('id: ssn'), '2:5: a detector SSN already exists'],
    [small('id: "a b"'), "2:9: 'A B' is no id"],
    [small('category: contacts'), "3:15: category cannot be 'contacts' | did you mean contact?"],
    [small('risk: 11'), '6:11: risk is 11'],
    [small('checks: [lunn]'), "6:14: unknown check 'lunn' | did you mean luhn?"],
    [small('checks: [entropy]'), "unknown check 'entropy'"],
    [small('labelled: true'), '6:15: labelled needs words'],
    [small('labelled: yes'), "labelled must be true or false, but it is the text 'yes'"],
    [small('context: ["a(b"]'), "'a(b' is no word"],
    [small("pattern: '(?=B)\\d'"), '4:14: The pattern (?=B)\\d has look-around at column 1'],
    [small("pattern: '(B)\\1'"), 'back reference at column 4'],
    [small("pattern: '.+@'"), '4:14: the pattern .+@ can start with any character'],
    [small("pattern: 'B*'"), '4:14: the pattern B* also matches less than 2 characters'],
    [small("pattern: '(?:B{1,50}){1,50}'"), 'when its counts are written out'],
    [small('examples: { not: [B1] }'), '5:15: no matching example'],
    [
      small('examples: { match: [B12345, B1234] }'),
      "5:33: BADGE finds nothing in 'B1234', where 'B1234' must be found",
    ],
    [small('examples: { match: ["no B12345"] }'), "BADGE finds 'B12345' in 'no B12345'"],
    [
      small('examples: { match: [B12345], not: [B99999] }'),
      "5:40: BADGE finds 'B99999' in 'B99999', which it must not",
    ],
    [`${small('')}minConfidence: 0.9`, "BADGE finds nothing in 'B12345'"],
  ])('%j is an error that says where', (text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'usage' }));
    let reported = '';
    try {
      read(text);
    } catch (error) {
      const { message, hint } = error as { message: string; hint: string };
      reported = `${message} | ${hint}`;
    }
    expect(reported).toContain(message);
    expect(reported).toMatch(/^rules\.yaml:\d+:\d+: /);
  });
});
