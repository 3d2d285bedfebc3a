/** Spreadsheets and slides of the finance department, the older ones in older formats. */
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import type { Share } from './share.ts';
import { abaRouting, creditCard, iban } from './values.ts';
import { type About, type OldSheet, oldExcel, oldPowerPoint } from './writers/legacy.ts';
import { type OpenSpreadsheet, openSpreadsheet } from './writers/open-document.ts';

const COMPANY = 'Brightwater Outfitters';
const SUPPLIERS = [
  'Nordlicht Zelte',
  'Maison Galet',
  'Van Duin Ropes',
  'Wharfedale Waxed Cotton',
  'Kiesel Kocher',
];

export function addFinanceDocuments(share: Share, random: Random): void {
  share.addDocument('finance/petty-cash.ods', pettyCash(random), openSpreadsheet);
  share.addDocument('finance/suppliers-2011.xls', suppliers(random), oldExcel);
  share.addDocument('finance/board-2019.ppt', board(random), oldPowerPoint);
}

function pettyCash(random: Random): OpenSpreadsheet {
  const things = [
    'cake',
    'more cake',
    'stamps',
    'batteries for the otter',
    'a lock for the cash box',
    'parking',
  ];
  const paid = random.times(16, () => [
    random.day(2024, 2024),
    colleague(random).name,
    random.pick(things),
    random.int(3, 90),
  ]);
  const refunds = random.times(9, () => {
    const { name, email } = customer(random);
    return [name, email, creditCard(random), random.int(9, 240)];
  });
  return {
    title: 'Petty cash',
    author: colleague(random).plain,
    sheets: [
      {
        name: 'March',
        rows: [['Date', 'Employee name', 'For', 'Amount'], ...paid, [null, null, 'What is left', 4.2]],
      },
      { name: 'Refunds', rows: [['Customer name', 'E-mail', 'Card number', 'Amount'], ...refunds] },
    ],
  };
}

function suppliers(random: Random): { about: About; sheets: OldSheet[] } {
  const countries = ['DE', 'FR', 'NL', 'GB', 'DE'] as const;
  const foreign = SUPPLIERS.map((supplier, n) => [
    supplier,
    customer(random).email,
    iban(random, countries[n]!, n % 2 === 0),
    random.int(1, 90) * 100,
  ]);
  const domestic = random.times(8, () => {
    const { name, phone, email } = customer(random);
    return [name, phone, email, abaRouting(random)];
  });
  return {
    about: { title: 'Suppliers 2011', author: colleague(random).plain, company: COMPANY },
    sheets: [
      { name: 'Abroad', rows: [['Supplier', 'E-mail', 'IBAN', 'Open'], ...foreign] },
      { name: 'Here', rows: [['Contact name', 'Phone', 'E-mail', 'Routing number'], ...domestic] },
    ],
  };
}

interface OldSlide {
  readonly outline?: string[];
  readonly shapes?: string[];
  readonly notes?: string;
}

function board(random: Random): { about: About; slides: OldSlide[] } {
  const [chair, guest] = [colleague(random), customer(random)];
  return {
    about: { title: 'Board meeting 2019', author: chair.plain, company: COMPANY },
    slides: [
      {
        outline: ['Board meeting, November 2019', 'Dry weather, wet figures'],
        notes: 'Do not mention the canoe.',
      },
      {
        outline: ['The offer'],
        shapes: [`Deposit to IBAN ${iban(random, 'FR', true)}`, `Contact: ${guest.email}, ${guest.phone}`],
        notes: `Dial in as ${mailbox('board')}, password: ${password(random)}`,
      },
      { outline: ['Any other business'], shapes: ['Cake'] },
    ],
  };
}
