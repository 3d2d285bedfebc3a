import type { OutlookProperties } from './outlook-properties.ts';

/** How contacts, appointments and tasks call what they know. */
const LABELS: Readonly<Record<number, string>> = {
  12289: 'Name',
  12291: 'Email',
  14854: 'Given name',
  14856: 'Business phone',
  14857: 'Home phone',
  14865: 'Surname',
  14869: 'Postal address',
  14870: 'Company',
  14871: 'Title',
  14872: 'Department',
  14874: 'Phone',
  14875: 'Business phone',
  14876: 'Mobile phone',
  14884: 'Fax',
  14886: 'Country',
  14887: 'City',
  14888: 'State',
  14889: 'Street',
  14890: 'Postal code',
  14895: 'Home phone',
};

/** The class of the message, address types, and repetitions of the subject. */
const TECHNICAL = [0x001a, 0x003d, 0x0064, 0x0070, 0x0077, 0x0c1e, 0x0e1d, 0x1046, 0x3002];

const BIRTHDAY = 0x3a42;

/** All strings of a message that are not part of another section. */
export async function* otherLines(
  properties: OutlookProperties,
  known: readonly number[],
): AsyncGenerator<string> {
  const birthday = properties.time(BIRTHDAY);
  if (birthday !== null) yield `Birthday: ${birthday.slice(0, 10)}\n`;
  for (const { id, text } of properties.others(new Set([...known, ...TECHNICAL]))) {
    const label = LABELS[id];
    if (label !== undefined) yield `${label}: `;
    yield* text;
    yield '\n';
  }
}
