/** Invented people, where they live and where their mail goes. */
import { usPhone } from './identifiers.ts';
import type { Random } from './random.ts';
import { plant } from './share.ts';

const FIRST =
  'Maribel Oswin Tamsin Ignatius Priya Lucjan Keiko Bartholomew Solveig Desmond Aoife Ramiro Yusra Cedric Ottoline Hamish Noor Leopold Xiomara Fergus Winifred Tobias Anneke Gideon Zuleika Percival Marguerite Idris Clementine Rufus'.split(
    ' ',
  );
const LAST =
  'Quillfeather Ashgrove Tidewell Barnaclough Fenwright Ollerenshaw Mosswick Harrowgate Pemberly Stillwater Thornbury Wetherell Larkspur Dunmarrow Brackenridge Castellane Okonjo-Wray Vandersloot Pikewell Greyling Salmonsen Rookhope Marlowitz Bulrush Heathcote-Lin'.split(
    ' ',
  );
const STREETS = [
  'Alder Street',
  'Millrace Road',
  'Heron Lane',
  'Old Cannery Road',
  'Gravel Bar Drive',
  'Cedar Avenue',
  'Ferry Landing Court',
  'Juniper Boulevard',
];
const TOWNS = [
  'Portland, OR 97205',
  'Astoria, OR 97103',
  'Seattle, WA 98109',
  'Spokane, WA 99201',
  'Boise, ID 83702',
  'Missoula, MT 59801',
];
const UK_STREETS = ['Tanners Row', 'Fishergate', 'Weir Lane', 'Quay Street', 'Lock Cottages Road'];
const UK_TOWNS = ['Leeds LS1 4ZZ', 'York YO1 9ZZ', 'Bristol BS1 6ZZ', 'Kendal LA9 4ZZ'];

export interface Person {
  readonly first: string;
  readonly last: string;
  /** For prose, where a name is only a name. */
  readonly plain: string;
  /** For a labelled place, where it is personal data. */
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
}

export function colleague(random: Random): Person {
  return person(random, ({ first, last }) => `${slug(first)}.${slug(last)}@brightwater.example`);
}

export function customer(random: Random): Person {
  return person(random, ({ first, last }) => {
    const local = random.pick([
      `${first}.${last}`,
      `${first.charAt(0)}${last}${random.int(1, 99)}`,
      `${last}_${first}`,
    ]);
    return `${slug(local)}@${random.pick(['example.com', 'example.org', 'example.net', 'mail.example.com'])}`;
  });
}

export function ukAddress(random: Random): string {
  return plant('ADDRESS', `${random.int(1, 140)} ${random.pick(UK_STREETS)}, ${random.pick(UK_TOWNS)}`);
}

/** A mailbox of a role or a firm, not of a person. */
export function mailbox(local: string, domain = 'brightwater.example'): string {
  return plant('EMAIL', `${local}@${domain}`);
}

function person(random: Random, emailOf: (name: { first: string; last: string }) => string): Person {
  const name = { first: random.pick(FIRST), last: random.pick(LAST) };
  return {
    ...name,
    plain: `${name.first} ${name.last}`,
    name: plant('NAME', `${name.first} ${name.last}`),
    email: plant('EMAIL', emailOf(name)),
    phone: usPhone(random),
    address: plant('ADDRESS', `${random.int(11, 4980)} ${random.pick(STREETS)}, ${random.pick(TOWNS)}`),
  };
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll('-', '');
}
