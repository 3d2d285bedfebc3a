import { describe, expect, it } from 'vitest';
import { parseRuleSet } from './rule-file.ts';
import { DEFAULT_RULES, detectionHash } from './rule-set.ts';
import { DETECTOR_INFOS } from './rules.fixture.ts';

const read = (reading: string) => parseRuleSet(`reading: ${reading}`, 'rules.yaml', DETECTOR_INFOS);

describe('reading of a rule set', () => {
  it('sets whether images are read, and which limits differ', () => {
    const { reading } = read('{ ocr: true, limits: { pages: 20, documentMegabytes: 256 } }');
    expect(reading).toEqual({ ocr: true, limits: { pages: 20, documentMegabytes: 256 } });
    expect(read('{ limits: { depth: 2 } }').reading.ocr).toBe(false);
  });

  it.each([
    ['{ limits: { page: 20 } }', /unknown limit 'page'/],
    ['{ limits: { depth: 1000 } }', /the limit depth is 1000/],
    ['{ ocr: perhaps }', /must be true or false/],
    ['{ speed: 3 }', /cannot have a key 'speed'/],
  ])('rejects %s', (text, reported) => expect(() => read(text)).toThrow(reported));

  it('changes the detection hash, unless it equals the defaults', () => {
    const same = detectionHash(DEFAULT_RULES);
    expect(detectionHash(read('{ limits: { pages: 10000 } }'))).toBe(same);
    expect(detectionHash(read('{ limits: { pages: 20 } }'))).not.toBe(same);
    expect(detectionHash(read('{ ocr: true }'))).not.toBe(same);
  });
});
