/** Rules as users write them: packs, their own detectors, columns, policies. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseLines } from '../support/results.ts';
import { openSeine } from '../support/seine.ts';
import { put } from '../support/tree.ts';

const seine = openSeine();
afterAll(() => seine.close());

const tree = join(seine.folder, 'tree');
put(tree, 'staff.csv', 'name,number,old\nAda Otter,EMP-123456,EMP-111111\nBo Gull,EMP-654321,EMP-222222\n');
put(tree, 'note.txt', 'SSN: 219-18-4417\n');
const RULES = `name: staff
packs: [secrets]
custom:
  - id: BADGE
    title: Badge of our staff
    category: direct_identifier
    pattern: 'EMP-\\d{6}'
    examples: { match: [EMP-123456], not: [EMP-12] }
columns: { exclude: [old] }
policies:
  include: [gdpr]
  own:
    staff_list: { title: Lists of staff, any_of: [BADGE], min_count: 2 }
`;
const rules = put(seine.folder, 'rules.yaml', RULES);
const report = async (...words: string[]) =>
  JSON.parse((await seine.run(['scan', tree, '--json', ...words])).stdout);

describe('a scan under rules', () => {
  it('finds their types, in the columns they select, and reports which policies fired', async () => {
    const found = await report('--rules', rules);
    expect(found.types).toMatchObject([{ detector: 'BADGE', findings: 2, objects: 1 }]);
    const because = { BADGE: 2 };
    expect(found.policies).toMatchObject([
      { policy: 'gdpr', objects: 1, because },
      { policy: 'staff_list', title: 'Lists of staff', objects: 1, because, worst: [{ key: 'staff.csv' }] },
    ]);
    const filtered = await seine.run([
      'findings',
      '--policy',
      'staff_list',
      '--json',
      '--where',
      'has(BADGE)',
    ]);
    expect(parseLines<{ field: string }>(filtered.stdout).map(({ field }) => field)).toEqual([
      'number',
      'number',
    ]);
  });

  it('reports the same when nothing changed, without reading again', async () => {
    const again = await report('--rules', rules);
    expect(again.coverage.outcomes.unchanged.objects).toBe(2);
    expect(again.policies).toHaveLength(2);
  });

  it('reads again when the conditions of a policy change', async () => {
    const other = put(seine.folder, 'other.yaml', RULES.replace('min_count: 2', 'min_count: 3'));
    const found = await report('--rules', other);
    expect(found.coverage.outcomes.scanned.objects).toBe(2);
    expect(found.policies.map(({ policy }: { policy: string }) => policy)).toEqual(['gdpr']);
  });

  it('finds only what a pack selects', async () => {
    expect((await report('--pack', 'secrets')).types).toEqual([]);
    const found = await report('--pack', 'secrets', '--pack', 'gdpr');
    expect(found.types.map(({ detector }: { detector: string }) => detector)).toContain('SSN');
  });

  it('ends with 3 on a policy that fired', async () => {
    expect((await seine.run(['scan', tree, '-q', '--rules', rules, '--fail-on', 'staff_list'])).code).toBe(3);
    expect((await seine.run(['scan', tree, '-q', '--pack', 'secrets', '--fail-on', 'gdpr'])).code).toBe(0);
  });
});

describe('what is wrong', () => {
  it.each([
    [['scan', tree, '--pack', 'pcj'], 'No pack "pcj".', 'did you mean pci'],
    [['scan', tree, '--fail-on', 'hippa'], '--fail-on HIPPA is neither', 'did you mean hipaa?'],
    [['findings', '--policy', 'ferpaa'], 'has no policy "ferpaa"', 'did you mean ferpa?'],
    [['policies', 'hippa'], 'No policy "hippa"', 'did you mean hipaa?'],
    [['detectors', 'SSSN'], 'No detector "SSSN"', 'did you mean SSN?'],
    [
      ['detectors', '--rules', put(seine.folder, 'bad.yaml', RULES.replace('[EMP-12]', '[EMP-777777]'))],
      'bad.yaml:8:',
      'narrow the pattern',
    ],
    [
      ['policies', '--rules', put(seine.folder, 'worse.yaml', RULES.replace("'EMP-", "'(?<!X)EMP-"))],
      'worse.yaml:7:',
      'context words',
    ],
  ])('%j is reported in one sentence, with a hint', async (words, sentence, hint) => {
    const { code, stderr } = await seine.run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain(hint);
  });
});

describe('the catalogue', () => {
  it('lists what is on, and can be narrowed', async () => {
    const all = await seine.run(['detectors', '--json']);
    const some = await seine.run(['detectors', '--json', '--category', 'credential', '--pack', 'soc2']);
    const detectors = parseLines<{ id: string; category: string }>(some.stdout);
    expect(detectors.length).toBeGreaterThan(5);
    expect(detectors.length).toBeLessThan(parseLines(all.stdout).length);
    expect(new Set(detectors.map(({ category }) => category))).toEqual(new Set(['credential']));
    const table = await seine.run(['detectors', '--country', 'us']);
    expect(table.stdout).toMatch(
      /^DETECTOR +WHAT IT FINDS +CATEGORY +COUNTRY +REGULATIONS +STRENGTH +RISK +SURE\n/,
    );
    expect(table.stdout).toMatch(/^SSN +US Social Security number +direct_identifier +US /m);
  });

  it('shows one detector in full, custom ones too', async () => {
    const { stdout } = await seine.run(['detectors', 'badge', '--rules', rules]);
    for (const part of [
      'Badge of our staff',
      'EMP-\\d{6}',
      'Finds\n  EMP-123456',
      'Does not find\n  EMP-12',
      ' ns',
    ])
      expect(stdout).toContain(part);
    const json = JSON.parse((await seine.run(['detectors', 'SSN', '--json'])).stdout);
    expect(json).toMatchObject({
      id: 'SSN',
      packs: expect.arrayContaining(['pii']),
      examples: { match: expect.any(Array) },
    });
    expect(json.nsPerKilobyte.alone).toBeGreaterThan(0);
  });

  it('explains the policies', async () => {
    const { stdout } = await seine.run(['policies', '--rules', rules]);
    expect(stdout).toMatch(/^gdpr .*\n.*\nstaff_list +Lists of staff\n +BADGE \(at least 2\)\n$/);
    const one = await seine.run(['policies', 'hipaa']);
    expect(one.stdout).toContain('any of:\n    MRN\n');
    expect(one.stdout).toContain('unless all it has of these is NPI, DEA');
  });
});
