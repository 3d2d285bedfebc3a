import { describe, expect, it } from 'vitest';
import { compileFilter, usesFindingFields } from './evaluate.ts';
import { FILTER_FIELDS } from './fields.ts';
import { type FilterRecord, pathFields } from './record.ts';

const OBJECT: FilterRecord = {
  ...pathFields("hr/2025/Staff list's.CSV"),
  size: 12_000,
  modified: new Date('2025-03-31T12:00:00.500Z'),
  score: 64,
  tier: 'HIGH',
  outcome: 'partial',
  counts: { SSN: 3, EMAIL: 40 },
};
const FINDING: FilterRecord = {
  ...OBJECT,
  detector: 'SSN',
  category: 'identity',
  confidence: 0.9,
  line: 7,
  column: 12,
  field: 'Tax No',
  part: null,
  masked: '***-**-1234',
  fingerprint: 'c0ffee',
};

describe('a filter on a finding', () => {
  it.each([
    ["path = 'hr/2025/Staff list''s.CSV'", "path = 'hr/2025/staff list''s.csv'"],
    ["path != 'x'", "path != 'hr/2025/Staff list''s.CSV'"],
    [String.raw`path ~ '^hr/\d{4}/'`, "path ~ '^2025'"],
    ["path ~ '(?i)STAFF'", "path ~ 'STAFF'"],
    ["path !~ 'STAFF'", "path !~ 'Staff'"],
    ["path contains 'STAFF LIST'", "path contains 'stuff'"],
    ["folder = 'hr/2025'", "folder = 'hr'"],
    ['extension = csv', 'extension = tsv'],
    ["extension = '.CSV'", "extension != 'Csv'"],
    ['size = 12KB', 'size = 12KiB'],
    ['size > 11999', 'size > 12000'],
    ['size >= 12000', 'size >= 12001'],
    ['size < 12001', 'size < 12000'],
    ['size <= 12kb', 'size <= 11999'],
    ['size < 1gib', 'size > 5MB'],
    ["modified = '2025-03-31'", "modified = '2025-03-30'"],
    ["modified > '2025-03-30'", "modified > '2025-03-31'"],
    ["modified >= '2025-03-31'", "modified >= '2025-04-01'"],
    ["modified < '2025-04-01'", "modified < '2025-03-31'"],
    ["modified <= '2025-03-31'", "modified <= '2025-03-30'"],
    ["modified != '2025-03-30'", "modified != '2025-03-31'"],
    ["modified = '2025-03-31T12:00Z'", "modified = '2025-03-31T12:00'  and modified > '2025-03-31T12:00'"],
    ["modified = '2025-03-31T14:00:00+02:00'", "modified = '2025-03-31T12:00:01Z'"],
    ["modified = '2025-03-31 12:00:00.500'", "modified = '2025-03-31T12:00:00.501Z'"],
    ['tier = high', 'tier = CRITICAL'],
    ['tier >= HIGH', 'tier > HIGH'],
    ["tier < 'CRITICAL'", 'tier <= MEDIUM'],
    ['tier != LOW', 'tier != HIGH'],
    ['score >= 64', 'score > 64.0'],
    ['outcome = PARTIAL', 'outcome = scanned'],
    ['has(SSN)', 'has(PHONE)'],
    ["has('email')", 'not has(email)'],
    ['count(EMAIL) = 40', 'count(EMAIL) > 40'],
    ['count(PHONE) = 0', 'count(PHONE) != 0'],
    ['count() = 43', 'count() < 43'],
    ['missing(part)', 'missing(field)'],
    ['detector = ssn', 'detector != SSN'],
    ["detector ~ '^S'", 'detector contains "EM"'],
    ['category = identity', 'category = "secret"'],
    ['confidence >= 0.9', 'confidence < 0.9'],
    ['line = 7 and column = 12', 'line = 12 or column = 7'],
    ["field = 'Tax No'", "field = 'tax no'"],
    ["part != 'a'", "part = ''"],
    ["masked contains '1234'", "masked contains '123-'"],
    ["fingerprint = 'c0ffee'", "fingerprint = 'C0FFEE'"],
    ['line > -1', 'line > 1e2'],
  ])('%s holds and %s does not', (yes, no) => {
    expect([compileFilter(yes).matches(FINDING), compileFilter(no).matches(FINDING)]).toEqual([true, false]);
  });
});

describe('a filter on what is missing', () => {
  const bare: FilterRecord = {
    ...OBJECT,
    ...pathFields('.env'),
    modified: null,
    score: null,
    tier: null,
    counts: {},
  };

  it.each([
    'detector = SSN',
    'line > 0',
    'line <= 0',
    "masked ~ '.*'",
    "field contains ''",
    'tier >= MINIMAL',
    'score >= 0',
  ])('%s does not hold', (text) => {
    expect(compileFilter(text).matches(bare)).toBe(false);
    expect(compileFilter(`not ${text}`).matches(bare)).toBe(true);
  });

  it.each(['detector != SSN', "masked !~ 'x'", 'line != 3', "modified != '2025-01-01'", 'tier != LOW'])(
    '%s holds',
    (text) => {
      expect(compileFilter(text).matches(bare)).toBe(true);
    },
  );

  it('knows the fields that have no value', () => {
    const missing = FILTER_FIELDS.map(({ name }) => name).filter((name) =>
      compileFilter(`missing(${name})`).matches(bare),
    );
    expect(missing).toEqual([
      ...['folder', 'extension', 'modified', 'tier', 'score', 'detector', 'category', 'confidence'],
      ...['line', 'column', 'field', 'part', 'masked', 'fingerprint'],
    ]);
  });
});

describe('isAboutFindings', () => {
  it.each([
    ['tier = HIGH and has(SSN) and count() > 3 or missing(modified)', false],
    ['tier = HIGH and not (size > 3 or detector != SSN)', true],
    ['line > 3', true],
    ['missing(field)', true],
  ])('%s: %s', (text, expected) => {
    expect(usesFindingFields(compileFilter(text))).toBe(expected);
  });
});

describe('pathFields', () => {
  it.each([
    ['a/b.tar.GZ', 'a', 'gz'],
    ['b', '', ''],
    ['a.d/b', 'a.d', ''],
    ['x/.env', 'x', ''],
    ['/root.txt', '', 'txt'],
    ['a/b.', 'a', ''],
  ])('%s is in %j with %j', (path, folder, extension) => {
    expect(pathFields(path)).toEqual({ path, folder, extension });
  });
});
