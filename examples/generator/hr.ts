import { dateOfBirth, driverLicense, passport, ukPhone } from './identifiers.ts';
import { colleague, customer, ukAddress } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { csv, tsv } from './tables.ts';
import { abaRouting, nino, ssn } from './values.ts';

const TITLES = [
  'Buyer',
  'Store Lead',
  'Fly-Tying Instructor',
  'Warehouse Associate',
  'Kayak Technician',
  'Data Analyst',
];

export function addHr(share: Share, random: Random): void {
  addRegisters(share, random);
}

function addRegisters(share: Share, random: Random): void {
  const staff = random.times(64, (n) => ({ ...colleague(random), id: `BW-${1001 + n}` }));
  const employees = staff.map(({ id, name, email, phone, address }) => ({
    employee_id: id,
    full_name: name,
    email,
    phone,
    home_address: address,
    date_of_birth: dateOfBirth(random),
    ssn: ssn(random),
    title: random.pick(TITLES),
    hired: random.day(2009, 2023),
  }));
  share.add('hr/employees.csv', csv(employees));
  const payroll = staff.map(({ id, name }) => ({
    employee_id: id,
    employee: name,
    social_security_number: ssn(random),
    routing_number: abaRouting(random),
    account_last4: random.digits(4),
    gross: `${random.int(2900, 7400)}.00`,
  }));
  share.add('hr/payroll-2024-03.csv', csv(payroll));
  const contacts = staff.slice(0, 30).map(({ id, plain }) => {
    const kin = customer(random);
    return {
      employee_id: id,
      employee: plain,
      contact_name: kin.name,
      relation: random.pick(['spouse', 'mother', 'flatmate', 'parrot sitter']),
      contact_phone: kin.phone,
    };
  });
  share.add('hr/emergency-contacts.tsv', tsv(contacts));
  const documents = staff.slice(0, 24).map(({ id, name }) => ({
    employee_id: id,
    name,
    passport_number: passport(random),
    driver_license: driverLicense(random),
    checked_on: random.day(2021, 2024),
  }));
  share.add('hr/i9-documents.csv', csv(documents));
  const british = random.times(18, (n) => ({ ...colleague(random), id: `BW-UK-${201 + n}` }));
  const ukStaff = british.map(({ id, name, email }) => ({
    staff_id: id,
    name,
    email,
    phone: ukPhone(random),
    address: ukAddress(random),
    national_insurance: nino(random),
  }));
  share.add('hr/uk-staff.csv', csv(ukStaff));
}
