import { describe, expect, it } from 'vitest';
import { SeineError } from '../base/errors.ts';
import { parseRuleSet } from './rule-file.ts';
import { DEFAULT_RULES } from './rule-set.ts';
import { DETECTOR_INFOS } from './rules.fixture.ts';

function read(text: string) {
  return parseRuleSet(text, 'rules.yaml', DETECTOR_INFOS);
}

function failure(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof SeineError && error.kind === 'usage') return `${error.message} | ${error.hint}`;
    throw error;
  }
  throw new Error('it was read without an error');
}

describe('parseRuleSet', () => {
  it('parses all keys of a rule set', () => {
    const text = `
# for the finance share
version: 1
name: finance
minConfidence: 0.7
thresholds: { ssn: 0.8 }
detectors: { include: [SSN, credit_card], exclude: [PHONE] }
weights:
  SSN: 10
  EMAIL: 0
paths:
  include: ['invoices/**']
  exclude:
    - '**/archive/**'
columns: { exclude: [internal_id] }
tables: { include: ['customer*'] }
sample: 25
policies: { include: [glba, pci_dss] }
`;
    expect(read(text)).toEqual({
      ...DEFAULT_RULES,
      name: 'finance',
      minConfidence: 0.7,
      thresholds: { SSN: 0.8 },
      columns: { include: [], exclude: ['internal_id'] },
      tables: { include: ['customer*'], exclude: [] },
      sample: 25,
      policies: { include: ['glba', 'pci_dss'], exclude: [], own: [] },
      detectors: { include: ['SSN', 'CREDIT_CARD'], exclude: ['PHONE'] },
      weights: { SSN: 10, EMAIL: 0 },
      paths: { include: ['invoices/**'], exclude: ['**/archive/**'] },
    });
  });

  it('uses the defaults for missing keys', () => {
    expect(read('name: small')).toEqual({ ...DEFAULT_RULES, name: 'small' });
  });

  it('resolves YAML aliases', () => {
    expect(read('weights: { SSN: &w 3, EMAIL: *w }').weights).toEqual({ SSN: 3, EMAIL: 3 });
  });

  it('turns on what one of the packs selects, and what is named beside them', () => {
    expect(read('packs: [pci]').detectors.include).toEqual(['CREDIT_CARD']);
    expect(read('packs: [pci, pii]').detectors.include).toEqual(['SSN', 'EMAIL', 'CREDIT_CARD', 'PHONE']);
    expect(read('packs: [pci]\ndetectors: { include: [phone], exclude: [SSN] }').detectors).toEqual({
      include: ['PHONE', 'CREDIT_CARD'],
      exclude: ['SSN'],
    });
  });

  it.each([
    [
      'name: a\nminConfidance: 1',
      "2:1: a rule set cannot have a key 'minConfidance' | did you mean minConfidence?",
    ],
    [
      'colour: red',
      "1:1: a rule set cannot have a key 'colour' | the keys are version, name, minConfidence,",
    ],
    ['detectors:\n  only: [SSN]', "2:3: detectors cannot have a key 'only' | the keys are include, exclude"],
    ['detectors:\n  include: [SSN, EMIAL]', "2:18: unknown detector 'EMIAL' | did you mean EMAIL?"],
    ['detectors:\n  include: [zzzzz]', "'zzzzz' | seine detectors lists them all"],
    ['weights:\n  card: 3', "2:3: unknown detector 'card' | did you mean CREDIT_CARD?"],
    ['weights: { ssn: 3, SSN: 4 }', '1:20: SSN has two weights'],
    ['weights: { SSN: 11 }', '1:17: the weight of SSN is 11 | it goes from 0 to 10'],
    ['minConfidence: 1.5', '1:16: minConfidence is 1.5 | it goes from 0 to 1'],
    ['minConfidence: .nan', '1:16: minConfidence is NaN'],
    ['minConfidence: high', "1:16: minConfidence must be a number, but it is the text 'high'"],
    ['name: 2025', '1:7: name must be a text, but it is the number 2025 | put quotes'],
    ['detectors: [SSN]', '1:12: detectors must be a mapping, but it is a list'],
    ['paths:\n  exclude: tmp', "2:12: paths.exclude must be a list, but it is the text 'tmp'"],
    ['paths: { exclude: [{ a: b }] }', 'an item of paths.exclude must be a text, but it is a mapping'],
    ['paths:', '1:7: paths must be a mapping, but it is empty'],
    ['detectors: { include: [] }', '1:23: detectors.include is empty | omit `include`'],
    ['detectors: { exclude: [SSN, EMAIL, CREDIT_CARD, PHONE] }', '1:12: no detector is left on'],
    ['version: 2', '1:10: version is 2 | this Seine reads version 1'],
    ['thresholds: { SSN: 2 }', '1:20: the threshold of SSN is 2 | it goes from 0 to 1'],
    ['packs: [pii, pcl]', "1:14: a pack cannot be 'pcl' | did you mean pci?"],
    ['packs: []', '1:8: packs is empty | omit `packs`'],
    ['sample: 0', '1:9: sample is 0 | nothing would be scanned'],
    ['sample: 101', '1:9: sample is 101 | it goes from 0 to 100'],
    ['columns: [a]', '1:10: columns must be a mapping'],
    ['policies: { exclude: [hippa] }', "1:23: a policy cannot be 'hippa' | did you mean hipaa?"],
    ['- a', '1:1: a rule set must be a mapping, but it is a list'],
    ['', '1:1: the file is empty'],
    ['name: a\nname: b', '2:1: Map keys must be unique'],
    ['name: a\n---\nname: b', '2:1: a second document starts'],
    ['name: [a', '1:9: '],
  ])('%j is an error that says where', (text, message) => {
    expect(failure(text)).toContain(message);
    expect(failure(text)).toMatch(/^rules\.yaml:\d+:\d+: /);
  });
});
