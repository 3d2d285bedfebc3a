/** One issuer's numbers: leading digits from–to, and the lengths in use. `rare`: too loose to believe without context. */
interface Brand {
  readonly name: string;
  readonly ranges: readonly (readonly [number, number])[];
  readonly lengths: readonly number[];
  readonly rare?: boolean;
}

const ALL = [12, 13, 14, 15, 16, 17, 18, 19];

/** Many counters have as many digits: the long ones want context. */
const LONG = [17, 18, 19];

/** Narrow ranges precede the wide ones that contain them. */
const BRANDS: readonly Brand[] = [
  { name: 'Elo', ranges: elo(), lengths: [16] },
  { name: 'Hipercard', ranges: singles('606282 637095 637568 637599 637609 637612'), lengths: [16] },
  { name: 'Verve', ranges: pairs('506099-506198 507865-507964 650002-650027'), lengths: [16, 18, 19] },
  { name: 'RuPay', ranges: pairs('508500-508999 606985-607984 608001-608500'), lengths: [16] },
  { name: 'RuPay', ranges: pairs('652150-653149 817200-820199'), lengths: [16] },
  { name: 'Dankort', ranges: singles('5019'), lengths: [16] },
  { name: 'Mir', ranges: pairs('2200-2204'), lengths: [16] },
  { name: 'Mir', ranges: pairs('2200-2204'), lengths: LONG, rare: true },
  { name: 'Troy', ranges: singles('9792'), lengths: [16] },
  { name: 'Visa', ranges: singles('4'), lengths: [16] },
  { name: 'Visa', ranges: singles('4'), lengths: [13, 19], rare: true },
  { name: 'Mastercard', ranges: pairs('51-55 2221-2720'), lengths: [16] },
  { name: 'American Express', ranges: singles('34 37'), lengths: [15] },
  { name: 'Discover', ranges: pairs('6011-6011 644-649 65-65 622126-622925'), lengths: [16] },
  { name: 'Discover', ranges: pairs('6011-6011 644-649 65-65'), lengths: LONG, rare: true },
  { name: 'JCB', ranges: pairs('3528-3589'), lengths: [16] },
  { name: 'JCB', ranges: pairs('3528-3589'), lengths: LONG, rare: true },
  { name: 'JCB', ranges: singles('2131 1800'), lengths: [15], rare: true },
  { name: 'Diners Club', ranges: pairs('300-305 3095-3095 36-36 38-39'), lengths: [14] },
  { name: 'Diners Club', ranges: pairs('300-305 3088-3095 36-36 38-39'), lengths: [16] },
  { name: 'JCB', ranges: pairs('3500-3599'), lengths: [16], rare: true },
  { name: 'UnionPay', ranges: pairs('62-62 8100-8171'), lengths: [16] },
  { name: 'UnionPay', ranges: pairs('62-62 8100-8171'), lengths: LONG, rare: true },
  { name: 'InstaPayment', ranges: pairs('637-639'), lengths: [16], rare: true },
  { name: 'Maestro', ranges: pairs('50-50 56-58 67-67 6304-6304 6390-6390'), lengths: ALL, rare: true },
  { name: 'Uzcard', ranges: singles('8600'), lengths: [16], rare: true },
  { name: 'Humo', ranges: singles('9860'), lengths: [16], rare: true },
];

/** Brazil's own brand lives in pieces of the others' ranges. */
function elo(): [number, number][] {
  const alone =
    '401178 401179 431274 438935 451416 457393 457631 457632 504175 627780 636297 636368 636369 650031';
  const ranges =
    '506699-506778 509000-509999 650032-650033 650035-650051 650405-650439 650485-650538 650541-650598 ' +
    '650700-650718 650720-650727 650901-650978 651652-651679 655000-655019 655021-655058';
  return [...singles(alone), ...pairs(ranges)];
}

function singles(prefixes: string): [number, number][] {
  return prefixes.split(' ').map((prefix) => [Number(prefix), Number(prefix)]);
}

function pairs(ranges: string): [number, number][] {
  return ranges.split(' ').map((range) => {
    const [from = '', to = ''] = range.split('-');
    return [Number(from), Number(to)];
  });
}

interface KnownBrand {
  readonly name: string;
  readonly rare: boolean;
}

/** A range by its numbers of six digits. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly brand: KnownBrand;
}

/** By the length of the number, in the order above. */
const RANGES: readonly (readonly Range[])[] = Array.from({ length: 20 }, (_, length) =>
  BRANDS.filter(({ lengths }) => lengths.includes(length)).flatMap(({ name, ranges, rare = false }) => {
    const brand = { name, rare };
    return ranges.map(([from, to]) => {
      const step = 10 ** (6 - String(from).length);
      return { from: from * step, to: (to + 1) * step - 1, brand };
    });
  }),
);

export function cardBrand(digits: string): KnownBrand | null {
  return brandOf(Number(digits.slice(0, 6)), digits.length);
}

/** By the first six digits of a number of that length. */
export function brandOf(six: number, length: number): KnownBrand | null {
  const ranges = RANGES[length] ?? [];
  for (let n = 0; n < ranges.length; n++) {
    const { from, to, brand } = ranges[n]!;
    if (six >= from && six <= to) return brand;
  }
  return null;
}

/** In some manual, or made up like those: a digit seven times in a row, or three different ones in all. */
export function isTestCard(digits: string): boolean {
  let seen = 0;
  let different = 0;
  let row = 0;
  for (let i = 0; i < digits.length; i++) {
    const bit = 1 << (digits.charCodeAt(i) - 48);
    if ((seen & bit) === 0) different++;
    seen |= bit;
    row = i > 0 && digits[i] === digits[i - 1] ? row + 1 : 1;
    if (row === 7) return true;
  }
  return different <= 3 || TEST_CARDS.has(digits);
}

/** From the documentation of card brands and payment processors. They are common in code and have no owner. */
export const TEST_CARDS: ReadonlySet<string> = new Set(
  // Visa
  (
    '4111111111111111 4242424242424242 4012888888881881 4000056655665556 4222222222222 4000000000000002 4000000000009995 ' +
    '4917610000000000 4007000000027 4009348888881881 4012000033330026 4012000077777777 4217651111111119 4500600000000061 ' +
    '4111111145551142 4988438843884305 4166676667666746 4646464646464644 4000620000000007 4000060000000006 4293189100000008 ' +
    '4444333322221111 4001590000000001 4977949494949497 4035501000000008 4151500000000008 4532759734545858 4543474002249996 ' +
    '4485040371536584 4012888818888 4911830000000 4462030000000000 4484070000000000 4000002500003155 4000002760003184 ' +
    '4000000000003220 4000002500001001 4012001037141112 4012001037167778 ' +
    // Mastercard
    '5555555555554444 5200828282828210 5105105105105100 2223003122003222 5454545454545454 2222400070000005 5555341244441115 ' +
    '5577000055770004 5555444433331111 2222410740360010 2222410700000002 2222400010000008 2223000048410010 2222400060000007 ' +
    '2223520443560010 2222400030000004 5100060000000002 2222400050000009 5136333333333335 5585558555855583 5103221911199245 ' +
    '5424000000000015 5500000000000004 5409889944179029 2223000048400011 2223000010309703 2223000010309711 5436031030606378 ' +
    '2223000010479399 5199992312641465 5555552500001001 ' +
    // American Express
    '378282246310005 371449635398431 378734493671000 370000000000002 370000000100018 343434343434343 371263462726550 345678901234564 ' +
    // Discover, Diners Club, JCB, UnionPay
    '6011111111111117 6011000990139424 6011981111111113 6011000000000012 6011601160116611 6445644564456445 6011988461284820 ' +
    '6011000400000000 6555900000604105 3056930009020004 30569309025904 38520000023237 36227206271667 36006666333344 36259600000004 ' +
    '38000000000006 36700102000000 36148900647913 36004244846408 30123456789019 3566002020360505 3530111333300000 3569990010095841 ' +
    '3528000700000000 3088000000000017 6200000000000005 6200000000000047 6205500000000000004 8171999927660000 ' +
    // Maestro, Dankort, Elo, Hipercard, Troy
    '6771798021000008 6771798025000004 6304000000000000 6703444444444449 6759649826438453 5019555544445555 5066991111111118 ' +
    '6062828888666688 6370950000000005 9792030394440796'
  ).split(' '),
);
