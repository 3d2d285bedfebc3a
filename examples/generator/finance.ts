import { passport } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { csv, json, xml } from './tables.ts';
import { abaRouting, creditCard, iban, SANDBOX_CARDS } from './values.ts';

const FIRMS = [
  'Nordlicht Zelte',
  'Maison Galet',
  'Polder & Zoon',
  'Wharfedale Wool',
  'Kiesel Schuhe',
  'Atelier Brume',
  'Grachten Gear',
  'Tweed & Tackle',
];
const COUNTRIES = ['DE', 'FR', 'NL', 'GB'] as const;

export function addFinance(share: Share, random: Random): void {
  addSuppliers(share, random);
  addInvoices(share, random);
  addCards(share, random);
}

function addSuppliers(share: Share, random: Random): void {
  const vendors = FIRMS.map((vendor, n) => ({
    vendor_id: `V-${310 + n}`,
    vendor,
    contact: mailbox('billing', `${vendor.toLowerCase().replace(/\W+/g, '-')}.example`),
    iban: iban(random, COUNTRIES[n % 4]!, n % 3 === 0),
    terms: random.pick(['30 days', '14 days', 'on delivery']),
  }));
  share.add('finance/vendors.csv', csv(vendors));
  const payments = random.times(30, (n) => ({
    EndToEndId: `BW-2024-${n + 1}`,
    Creditor: random.pick(FIRMS),
    IBAN: iban(random, random.pick(COUNTRIES)),
    Amount: `${random.int(90, 9000)}.00`,
  }));
  share.add('finance/sepa-run-2024-03.xml', xml('payments', 'payment', payments));
  share.add(
    'finance/wire-instructions.txt',
    `WIRE INSTRUCTIONS (do not send by mail; sent by mail 14 times so far)

Beneficiary: Brightwater Outfitters
ABA routing number: ${abaRouting(random)}
For Europe, IBAN ${iban(random, 'DE', true)}
For the Leeds shop, IBAN ${iban(random, 'GB', true)}

Questions: ${mailbox('treasury')}
`,
  );
}

function addInvoices(share: Share, random: Random): void {
  for (const number of [20117, 20131]) {
    const buyer = customer(random);
    const lines = random.times(
      3,
      () =>
        `  ${random.int(1, 40)} x ${random.pick(['Drift anorak', 'Pebble stove', 'Eddy dry bag', 'Heron waders'])}`,
    );
    share.add(
      `finance/invoices/INV-${number}.txt`,
      `BRIGHTWATER OUTFITTERS                     Invoice INV-${number}

Bill to: ${buyer.name}
         ${buyer.address}
         ${buyer.email}

${lines.join('\n')}

Please pay to IBAN ${iban(random, random.pick(COUNTRIES), true)} within 30 days.
Late payment makes the accountant sigh audibly.
`,
    );
  }
}

function addCards(share: Share, random: Random): void {
  const cards = random.times(14, () => {
    const { name, email } = colleague(random);
    return {
      cardholder: name,
      email,
      card_number: creditCard(random),
      expires: `${random.int(10, 12)}/${random.int(25, 29)}`,
      limit: 2500,
    };
  });
  share.add('finance/corporate-cards.csv', csv(cards));
  const trips = random.times(8, () => ({
    traveller: colleague(random).name,
    passport_number: passport(random),
    paid_with: creditCard(random, '-'),
    route: random.pick(['PDX-LHR', 'SEA-CDG', 'PDX-AMS']),
  }));
  share.add('finance/travel-bookings.json', json({ agency: 'Compass Rose Travel', trips }));
  const sandbox = SANDBOX_CARDS.map((number) => `  ${number}`).join('\n');
  share.add(
    'finance/terminal-test-cards.txt',
    `Cards for testing the till. They are printed in every payment guide, and Store 4 still tried to buy
lunch with one.

${sandbox}
`,
  );
}
