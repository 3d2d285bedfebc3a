import { expect, it } from 'vitest';
import {
  cnhChecks,
  cnpjChecks,
  cpfChecks,
  healthCardChecks,
  pisChecks,
  renavamChecks,
  voterTitleChecks,
} from './brazil.ts';
import { canadaBusinessChecks, ueiChecks } from './companies.ts';
import { proveDigits } from './national-number.fixture.ts';
import {
  bcPhnChecks,
  clabeChecks,
  curpChecks,
  ohipChecks,
  ramqDated,
  rfcChecks,
  sinChecks,
} from './north-america.ts';
import {
  cbuChecks,
  colombiaNitChecks,
  cuitChecks,
  duiChecks,
  ecuadorCedulaChecks,
  ecuadorRucChecks,
  guatemalaCuiChecks,
  paraguayRucChecks,
  peruRucChecks,
  rifChecks,
  rutChecks,
  uruguayCiChecks,
} from './spanish-america.ts';

proveDigits([
  ['Brazil, CPF', cpfChecks, ['52998224725', '11144477735', '12345678909'], 10],
  ['Brazil, CNPJ of Banco do Brasil and a textbook', cnpjChecks, ['00000000000191', '11222333000181'], 13],
  ['Brazil, alphanumeric CNPJ as the tax office prints it', cnpjChecks, ['12ABC34501DE35'], 12],
  ['Brazil, PIS', pisChecks, ['12056412847', '17033259504'], 10],
  ['Brazil, driver licence', cnhChecks, ['62472927637', '69044271146', '58316794534'], 9],
  ['Brazil, voter title', voterTitleChecks, ['106644440302', '102385010671'], 11],
  ['Brazil, vehicle register', renavamChecks, ['00639884962', '86769597308'], 10],
  ['Brazil, health card', healthCardChecks, ['100000000060018'], 14],
  ['Mexico, CURP', curpChecks, ['BOXW310820HNERXN09', 'HEGG560427MVZRRL04'], 17],
  ['Mexico, RFC of a person and a company', rfcChecks, ['GODE561231GR8', 'CACX7605101P8', 'MAB9307148T4'], 8],
  ['Mexico, CLABE', clabeChecks, ['032180000118359719', '002010077777777771'], 17],
  ['Argentina, CUIT', cuitChecks, ['20055361682', '20267565393', '30500010912'], 10],
  ['Argentina, CBU: bank', cbuChecks, ['2850590940090418135201'], 7],
  ['Argentina, CBU: account', cbuChecks, ['2850590940090418135201'], 21],
  ['Chile, RUT', rutChecks, ['760864285', '125319092', '123456785'], 5],
  ['Colombia, NIT', colombiaNitChecks, ['2131234321', '8001972684', '8909039388'], 9],
  ['Peru, RUC', peruRucChecks, ['20512333797', '20131312955'], 10],
  ['Uruguay, identity card', uruguayCiChecks, ['12345672', '11111111'], 7],
  ['Ecuador, identity card', ecuadorCedulaChecks, ['1714307103', '1710034065'], 9],
  ['Ecuador, RUC of a company, a state body', ecuadorRucChecks, ['1792060346001', '1760001550001'], 8],
  ['Paraguay, RUC', paraguayRucChecks, ['800280610', '800000358'], 8],
  ['El Salvador, DUI', duiChecks, ['000162975'], 8],
  ['Canada, business number', canadaBusinessChecks, ['123456782RC0001'], 8],
  ['Venezuela, RIF', rifChecks, ['V114702834', 'J070133805'], 9],
  ['Canada, SIN', sinChecks, ['123456782', '130692544'], 8],
  ['Ontario, health card', ohipChecks, ['9876543217'], 9],
  ['British Columbia, health number', bcPhnChecks, ['9012372173', '9698658215'], 9],
  ['US, entity ids in the public register', ueiChecks, ['YNDUZMUZF8H8', 'T53MCMLTWK59', 'UYDJJ1S8DR85'], 11],
]);

it('a digit over and over is no number of Brazil', () => {
  const same = [...'0123456789'].map((digit) => digit.repeat(11));
  expect(same.filter((n) => cpfChecks(n) || pisChecks(n) || cnhChecks(n))).toEqual([]);
});

it('a CURP has an existing day and state', () => {
  expect(curpChecks('BOXW310832HNERXN09')).toBe(false);
  expect(curpChecks('BOXW310820HZZRXN09')).toBe(false);
});

it('SINs that begin with 0 or 8 are not issued to persons', () => {
  expect(sinChecks('046454286')).toBe(false);
});

it.each([
  ['TREM85521417', true],
  ['TREM85021417', true],
  ['TREM85131417', false],
  ['TREM85523217', false],
])('Quebec writes the month of women plus 50: %s is dated: %s', (card, dated) => {
  expect(ramqDated(card)).toBe(dated);
});

it("Guatemala's code is checked by its first eight digits, and names a department", () => {
  const all = [...'0123456789'].map((digit) => `19384726${digit}0502`);
  expect(all.filter(guatemalaCuiChecks)).toEqual(['1938472640502']);
  expect(guatemalaCuiChecks('1938472642302')).toBe(false);
});
