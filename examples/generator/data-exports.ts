/** Exports in columnar and tabular formats. */
import { dateOfBirth } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { apiKey, password } from './secrets.ts';
import type { Share } from './share.ts';
import { creditCard, ssn } from './values.ts';
import { type AvroRow, avro } from './writers/avro.ts';
import { type Column, columns } from './writers/columns.ts';
import { database, type Rows } from './writers/database.ts';

export function addDataExports(share: Share, random: Random): void {
  share.addDocument('exports/orders.parquet', orders(random), columns);
  share.addDocument('exports/loyalty.avro', members(random), (rows) => avro('Member', MEMBER, rows));
  share.addDocument('exports/till.sqlite', till(random), tillDatabase);
}

function orders(random: Random): Record<string, Column> {
  const buyers = random.times(150, () => customer(random));
  return {
    order_id: { type: 'INT32', values: buyers.map((_, n) => 800_001 + n) },
    placed_at: {
      type: 'TIMESTAMP',
      values: buyers.map(() => `${random.day(2024, 2024)}T${random.clock()}Z`),
    },
    customer_name: { type: 'STRING', values: buyers.map(({ name }) => name) },
    email: { type: 'STRING', values: buyers.map(({ email }) => email) },
    card_number: {
      type: 'STRING',
      values: buyers.map((_, n) => (n % 4 === 0 ? creditCard(random, '') : null)),
    },
    total: { type: 'DOUBLE', values: buyers.map(() => random.int(900, 90_000) / 100) },
  };
}

const MEMBER = {
  member: 'long',
  full_name: 'string',
  email: 'string',
  phone: 'optional',
  date_of_birth: 'string',
  points: 'long',
} as const;

function members(random: Random): AvroRow[] {
  return random.times(120, (n) => {
    const { name, email, phone } = customer(random);
    return {
      member: 9001 + n,
      full_name: name,
      email,
      phone: n % 3 === 0 ? phone : null,
      date_of_birth: dateOfBirth(random),
      points: random.int(0, 4000),
    };
  });
}

interface Till {
  readonly payments: Rows;
  readonly cashiers: Rows;
  readonly settings: Rows;
}

function till(random: Random): Till {
  return {
    payments: random.times(80, (n) => ({
      id: n + 1,
      at: `${random.day(2024, 2024)} ${random.clock()}`,
      card_number: creditCard(random, ''),
      email: n % 5 === 0 ? customer(random).email : null,
      cents: random.int(300, 40_000),
    })),
    cashiers: random.times(7, (n) => {
      const { name } = colleague(random);
      return {
        id: n + 1,
        name,
        ssn: ssn(random),
        note: n === 3 ? `forgets it, so: password: ${password(random)}` : null,
      };
    }),
    settings: [
      { key: 'till_name', value: 'Till 04, by the hats' },
      { key: 'reports', value: `{"every":"night","api_key":"${apiKey(random)}"}` },
      { key: 'report_to', value: mailbox('tills') },
    ],
  };
}

function tillDatabase({ payments, cashiers, settings }: Till): Buffer {
  return database([
    {
      name: 'payments',
      sql: 'CREATE TABLE payments (id INTEGER PRIMARY KEY, at TEXT NOT NULL, card_number TEXT, email TEXT, cents INTEGER)',
      rows: payments,
    },
    {
      name: 'cashiers',
      sql: 'CREATE TABLE cashiers (id INTEGER PRIMARY KEY, name TEXT, ssn TEXT, note TEXT)',
      rows: cashiers,
    },
    {
      name: 'settings',
      sql: 'CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID',
      rows: settings,
    },
  ]);
}
