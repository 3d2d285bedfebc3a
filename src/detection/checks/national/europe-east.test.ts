import { expect, it } from 'vitest';
import * as balkans from './balkans.ts';
import * as baltic from './baltic.ts';
import * as czechia from './central-europe.ts';
import * as hungary from './central-europe.ts';
import * as poland from './central-europe.ts';
import * as eastern from './eastern-europe.ts';
import * as turkey from './middle-east-africa.ts';
import { proveNumbers } from './national-number.fixture.ts';
import * as mediterranean from './southern-europe.ts';

proveNumbers([
  {
    name: 'Polish PESEL',
    check: poland.peselChecks,
    published: ['44051401359', '02070803628'],
    rejected: ['44023001358', '00000000000'],
  },
  {
    name: 'Polish NIP',
    check: poland.nipChecks,
    published: ['8567346215', '1234563218'],
    rejected: ['0000000000'],
  },
  {
    name: 'Polish REGON',
    check: poland.regonChecks,
    published: ['192598184', '123456785', '12345678512347'],
    rejected: ['000000000', '12345678412347'],
  },
  {
    name: 'Polish identity card',
    check: poland.dowodChecks,
    published: ['ABA300000', 'ABS123456'],
    at: 3,
    rejected: ['AB3000000'],
  },
  {
    name: 'Estonian and Lithuanian code',
    check: baltic.balticCodeChecks,
    published: ['37605030299', '36805280109', '33309240064', '38703181745'],
    rejected: ['37613030299', '97605030299'],
  },
  {
    name: 'Latvian personas kods',
    check: baltic.personasKodsChecks,
    published: ['16117519997'],
    rejected: ['16137519997', '16117539997'],
  },
  {
    name: 'Czech rodné číslo',
    check: czechia.rodneCisloChecks,
    published: ['7103192745'],
    rejected: ['0000000000', '7133192745', '4503192749', '7123192747'],
  },
  {
    name: 'Hungarian TAJ',
    check: hungary.tajChecks,
    published: [],
    computed: ['081726439'],
    rejected: ['111111110', '123456788'],
  },
  {
    name: 'Hungarian tax number',
    check: hungary.adoazonositoChecks,
    published: ['8071592153'],
    rejected: ['8000000008'],
  },
  {
    name: 'Hungarian személyi szám',
    check: hungary.szemelyiSzamChecks,
    published: [],
    computed: ['18409172844', '40206113383'],
    rejected: ['18413172844'],
  },
  {
    name: 'Romanian CNP',
    check: balkans.cnpChecks,
    published: ['1630615123457'],
    rejected: ['1631315123457', '0000000000000'],
  },
  {
    name: 'Bulgarian EGN',
    check: balkans.egnChecks,
    published: ['8032056031', '6101057509'],
    rejected: ['0000000000', '8099056031'],
  },
  {
    name: 'JMBG',
    check: balkans.jmbgChecks,
    published: ['0101006500006', '0710003730015', '2205950501012'],
    rejected: ['3201006500006'],
  },
  {
    name: 'Croatian OIB',
    check: balkans.oibChecks,
    published: ['33392005961', '69435151530'],
    rejected: ['1234567890'],
  },
  {
    name: 'Greek AFM',
    check: balkans.afmChecks,
    published: ['094259216', '023456780'],
    rejected: ['000000000'],
  },
  { name: 'Greek AMKA', check: balkans.amkaChecks, published: ['01013099997'], rejected: ['00000000000'] },
  { name: 'Cypriot TIC', check: mediterranean.ticChecks, published: ['10259033P'], rejected: ['12259033P'] },
  {
    name: 'Maltese VAT',
    check: mediterranean.malteseVatChecks,
    published: ['11679112'],
    rejected: ['00000000'],
  },
  {
    name: 'Russian INN',
    check: eastern.innChecks,
    published: ['7707083893', '500100732259', '123456789047'],
    rejected: ['0000000000'],
  },
  {
    name: 'Russian SNILS',
    check: eastern.snilsChecks,
    published: ['11223344595', '08765430300'],
    rejected: ['00000000000'],
  },
  {
    name: 'Ukrainian RNOKPP',
    check: eastern.rnokppChecks,
    published: ['1759013776'],
    rejected: ['0000000000'],
  },
  {
    name: 'Turkish kimlik no',
    check: turkey.kimlikChecks,
    published: ['10000000146', '17291716060'],
    rejected: ['00000000000'],
  },
  {
    name: 'Turkish tax number',
    check: turkey.vergiChecks,
    published: ['4540536920'],
    rejected: ['0000000000'],
  },
  {
    name: 'Moldovan IDNO',
    check: eastern.idnpChecks,
    published: ['1008600038413'],
    rejected: ['0000000000000'],
  },
]);

it('a Russian passport contains the year its form was printed', () => {
  expect(eastern.russianPassportPlausible('4509123487')).toBe(true);
  expect(eastern.russianPassportPlausible('4562123487')).toBe(false);
});
