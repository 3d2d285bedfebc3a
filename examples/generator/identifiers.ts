/** Identifiers without a check digit, and the addresses of machines. */
import type { Random } from './random.ts';
import { plant } from './share.ts';

export const dateOfBirth = (random: Random, style: 'iso' | 'us' = 'iso') => {
  const [year, month, day] = random.day(1951, 2001).split('-');
  return plant('DATE_DOB', style === 'iso' ? `${year}-${month}-${day}` : `${month}/${day}/${year}`);
};

/** A letter and eight digits, as on US passports since 2021. */
export const passport = (random: Random) => plant('PASSPORT', `Z${random.digits(8)}`);

/** A letter and seven digits, as in California. */
export const driverLicense = (random: Random) =>
  plant('DRIVER_LICENSE', `${random.pick(['D', 'F', 'N', 'Y'])}${random.int(1, 9)}${random.digits(6)}`);

export const mrn = (random: Random) => plant('MRN', `${random.int(1, 9)}${random.digits(7)}`);

/** 555-0100 to 555-0199 are kept for fiction in every area. */
export function usPhone(random: Random): string {
  const area = random.pick(['503', '206', '415', '312', '617', '971']);
  const line = `01${random.padded(99, 2)}`;
  const style = random.pick(['(%) 555-', '%-555-', '+1 % 555 ', '%.555.']);
  return plant('PHONE', style.replace('%', area) + line);
}

/** Ofcom's numbers for drama. */
export function ukPhone(random: Random): string {
  const style = random.pick(['020 7946 0', '0161 496 0', '07700 900', '+44 20 7946 0', '+44 7700 900']);
  return plant('PHONE', style + random.padded(999, 3));
}

/** Addresses of the three documentation networks of RFC 5737. */
export function publicIp(random: Random): string {
  return plant('IP_ADDRESS', `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.int(2, 254)}`);
}

export function privateIp(random: Random): string {
  return plant('IP_ADDRESS', `10.${random.pick([20, 30, 40])}.${random.int(1, 250)}.${random.int(2, 250)}`);
}

/** RFC 3849. */
export function ipv6(random: Random): string {
  return plant('IP_ADDRESS', `2001:db8:${random.int(1, 9)}f${random.hex(2)}::${random.int(1, 9)}c`);
}
