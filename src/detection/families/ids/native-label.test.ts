import { expect, it } from 'vitest';
import { russia } from '../../detectors/national/russia.ts';
import { scanText } from '../../scan.fixture.ts';
import { createScanner } from '../../scanner.ts';

const scanner = createScanner(russia.filter(({ id }) => id === 'RU_INN'));
const valuesIn = (text: string) => scanText(scanner, text).map(({ value }) => value);

it.each(['ИНН 7707083893', 'инн:7707083893', 'Инн № "7707083893"', 'ИНН/KPP 7707083893'])(
  'a label in Cyrillic letters names the number behind it: %s',
  (text) => expect(valuesIn(text)).toEqual(['7707083893']),
);

it('a label applies to the first number only', () => {
  expect(valuesIn('ИНН 7707083893, 500100732259')).toEqual(['7707083893']);
});

it.each(['ИНН\n7707083893', `ИНН ${'.'.repeat(24)}7707083893`, 'ИННА 7707083893', 'длинн 7707083893', 'ИНН'])(
  'nothing is named in %j',
  (text) => expect(valuesIn(text)).toEqual([]),
);

it("chunk borders don't change the result", () => {
  const text = 'счёт ИНН: 7707083893 и далее';
  const whole = scanText(scanner, text);
  expect(whole).toHaveLength(1);
  for (let size = 1; size < 40; size++) expect(scanText(scanner, text, { sizes: [size] })).toEqual(whole);
});
