import { describe, expect, it } from 'vitest';
import { mod1110 } from '../check-digits.ts';
import * as alpine from './alpine.ts';
import * as benelux from './benelux.ts';
import * as islands from './britain-ireland.ts';
import * as france from './france.ts';
import * as germany from './germany.ts';
import { proveNumbers } from './national-number.fixture.ts';
import * as nordic from './nordic.ts';
import * as italy from './southern-europe.ts';
import * as portugal from './southern-europe.ts';
import * as spain from './southern-europe.ts';

proveNumbers([
  { name: 'ISO 7064 MOD 11,10', check: mod1110, published: ['07945'], anyLength: true, rejected: [] },
  {
    name: 'British UTR',
    check: islands.utrChecks,
    published: ['1955839661'],
    at: 0,
    rejected: ['955839661', '19558396610'],
  },
  { name: 'British VAT', check: islands.gbVatChecks, published: ['980780684'], rejected: ['000000000'] },
  {
    name: 'Irish PPS',
    check: islands.ppsChecks,
    published: ['6433435F', '6433435OA', '6433435FT'],
    at: 7,
    rejected: ['0000000W', '643343F'],
  },
  {
    name: 'Irish VAT of old',
    check: islands.oldIrishVatChecks,
    published: ['8D79739I'],
    rejected: ['8D7973I'],
  },
  {
    name: 'German Steuer-ID',
    check: germany.steuerIdChecks,
    published: ['36574261809', '86095742719', '47036892816', '65929970489', '57549285017', '25768131411'],
    rejected: ['02476291358', '12345678903', '11123456784'],
  },
  {
    name: 'German pension number',
    check: germany.pensionNumberChecks,
    published: ['15070649C103', '65170839J003'],
    rejected: ['15320649C103', '01070649C103'],
  },
  {
    name: 'German health insurance number',
    check: germany.healthInsuranceNumberChecks,
    published: ['A123456780', 'A000500015', 'T555558879'],
    rejected: ['A000000001', 'a123456780'],
  },
  {
    name: 'German identity card with check digit',
    check: germany.germanCardPlausible,
    published: ['T220001293', 'L01X00T471', 'LZ6311T475'],
    anyLength: true,
    rejected: ['LCHFGTXYZ'],
  },
  {
    name: 'French NIR',
    check: france.nirChecks,
    published: ['295109912611193', '253072B07300470', '255081416802538', '269054958815780'],
    rejected: ['253072C07300443', '295139912611193', '995109912611193'],
  },
  { name: 'French SPI', check: france.spiChecks, published: ['3023217600053'], rejected: ['0000000000000'] },
  {
    name: 'French VAT',
    check: france.frenchVatChecks,
    published: ['40303265045', '23334175221', 'K7399859412', '4Z123456782'],
    rejected: ['12000000000'],
  },
  {
    name: 'Spanish DNI',
    check: spain.dniChecks,
    published: ['54362315K'],
    rejected: ['12345678Z', '99999999R', '00000000T'],
  },
  {
    name: 'Spanish NIE',
    check: spain.nieChecks,
    published: ['X2482300W', 'X5253868R'],
    rejected: ['X1234567L', 'W2482300W'],
  },
  { name: 'Spanish NUSS', check: spain.nussChecks, published: ['281234567840'], rejected: ['991234567812'] },
  {
    name: 'Spanish CIF',
    check: spain.cifChecks,
    published: ['J99216582', 'A58818501', 'A13585625', 'Q2818002D'],
    rejected: ['A5881850A', 'Q28180024', 'I99216582'],
  },
  {
    name: 'Italian codice fiscale',
    check: italy.codiceFiscaleChecks,
    published: ['RCCMNL83S18D969H', 'MRTMTT25D09F205Z', 'RSSMRA85T10A562S'],
    rejected: ['RSSMRA85T32A562S', 'RSSMRA85F10A562S'],
  },
  {
    name: 'Italian partita IVA',
    check: italy.partitaIvaChecks,
    published: ['00743110157'],
    rejected: ['00000000000'],
  },
  {
    name: 'Dutch BSN',
    check: benelux.bsnChecks,
    published: ['111222333', '123456782'],
    rejected: ['000000000'],
  },
  {
    name: 'Belgian rijksregisternummer',
    check: benelux.rijksregisterChecks,
    published: ['85073003328', '17073003384', '40000095579', '00012511148'],
    rejected: ['85073000061', '85133003300', '85073003357'],
  },
  {
    name: 'Luxembourg matricule',
    check: benelux.matriculeChecks,
    published: ['1893120105732'],
    rejected: ['1893130105732'],
  },
  {
    name: 'Austrian SVNR',
    check: alpine.svnrChecks,
    published: ['1237010180'],
    at: 3,
    rejected: ['0237010180', '1237320180'],
  },
  {
    name: 'Austrian tax account',
    check: alpine.abgabenkontoChecks,
    published: ['591199013'],
    rejected: ['000000000'],
  },
  { name: 'Austrian UID', check: alpine.uidChecks, published: ['13585627'], rejected: ['1358562'] },
  {
    name: 'Swiss AHV',
    check: alpine.ahvChecks,
    published: ['7569217076985'],
    rejected: ['7561234567897', '7559217076988'],
  },
  {
    name: 'Portuguese NIF',
    check: portugal.portugueseNifChecks,
    published: ['501964843', '503504564'],
    rejected: ['123456789', '999999990'],
  },
  {
    name: 'Portuguese citizen card',
    check: portugal.cartaoChecks,
    published: ['045212244ZZ7'],
    rejected: ['000000000ZZ4'],
  },
  {
    name: 'Swedish personnummer',
    check: nordic.personnummerChecks,
    published: ['8112189876', '8803200016', '198112189876', '7010632391'],
    rejected: ['1212121212', '8113189876', '178112189876'],
  },
  {
    name: 'Norwegian fødselsnummer',
    check: nordic.fodselsnummerChecks,
    published: ['15108695088', '11077941012'],
    computed: ['53077728852'],
    rejected: ['00000000000', '15138695088'],
  },
  {
    name: 'Finnish HETU',
    check: nordic.hetuChecks,
    published: ['131052308T', '131052A308T'],
    rejected: ['010594Y9032', '311152308T', '131052G308T'],
  },
  {
    name: 'Icelandic kennitala',
    check: nordic.kennitalaChecks,
    published: ['1201743399'],
    at: 8,
    rejected: ['4504013150', '1201743391'],
  },
  {
    name: 'Swiss UID',
    check: alpine.swissUidChecks,
    published: ['CHE109322551', 'CHE100155212'],
    rejected: ['CHE000000000'],
  },
  {
    name: 'French SIREN and SIRET',
    check: france.siretChecks,
    published: ['732829320', '73282932000074'],
    rejected: ['000000000'],
  },
  {
    name: 'Norwegian organisation number',
    check: nordic.orgNumberChecks,
    published: ['988077917', '974760673'],
    rejected: ['000000000'],
  },
  {
    name: 'Swedish organisation number',
    check: nordic.organisationsnummerChecks,
    published: ['5560360793', '5560125790', '2021005489'],
    rejected: ['8112189876'],
  },
  {
    name: 'Scottish CHI',
    check: islands.chiChecks,
    published: [],
    computed: ['1504842960', '2811590137'],
    rejected: ['9434765919'],
  },
]);

describe('dates without a check digit', () => {
  it.each(['0511579034', '2304850172'])('Danish CPR %s is plausible', (digits) => {
    expect(nordic.cprPlausible(digits)).toBe(true);
  });
  it.each(['3113850172', '0000000000', '2902014172', '2110625629'])('Danish CPR %s is rejected', (digits) => {
    expect(nordic.cprPlausible(digits)).toBe(false);
  });
  it('a British driver number holds a birthday', () => {
    expect(islands.dvlaPlausible('MORGA657054SM9IJ')).toBe(true);
    expect(islands.dvlaPlausible('MORGA657994SM9IJ')).toBe(false);
  });
  it('a German tax number in the federal form has a zero in the fifth position', () => {
    expect(germany.steuernummerPlausible('2181081508155')).toBe(true);
    expect(germany.steuernummerPlausible('2181481508155')).toBe(false);
  });
  it('an old French card begins with year and month', () => {
    expect(france.frenchCardPlausible('880692310285')).toBe(true);
    expect(france.frenchCardPlausible('881392310285')).toBe(false);
  });
});
