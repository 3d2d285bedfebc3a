import type { Storage } from '../compound-file/compound-directory.ts';
import { OutlookProperties, PROPERTIES_OF } from './outlook-properties.ts';

const RECIPIENT = /^__RECIP_VERSION1\.0_#/;
const KIND = 0x0c15;
const KINDS = ['Originator', 'To', 'Cc', 'Bcc'];

/** Property ids of a person: a name, and addresses in order of preference. */
const RECIPIENT_IDS = [0x3001, 0x39fe, 0x3003] as const;
const AUTHOR_IDS = [0x0042, 0x5d02, 0x0065] as const;
const SENDER_IDS = [0x0c1a, 0x5d01, 0x0c1f] as const;
const DISPLAYED = [
  ['To', 0x0e04],
  ['Cc', 0x0e03],
  ['Bcc', 0x0e02],
] as const;

export const PEOPLE_IDS: readonly number[] = [...AUTHOR_IDS, ...SENDER_IDS, ...DISPLAYED.map(([, id]) => id)];

/** The lines of a message's head that are about people. */
export async function* peopleLines(message: Storage, properties: OutlookProperties): AsyncGenerator<string> {
  const author = await person(properties, AUTHOR_IDS);
  const sender = await person(properties, SENDER_IDS);
  if (author !== '') yield `From: ${author}\n`;
  if (sender !== author && sender !== '') yield `${author === '' ? 'From' : 'Sender'}: ${sender}\n`;
  const seen = new Set<string>();
  for (const storage of message.storagesLike(RECIPIENT)) {
    const recipient = await OutlookProperties.open(storage, PROPERTIES_OF.part, properties.codePage);
    const line = await person(recipient, RECIPIENT_IDS);
    if (line !== '') yield `${KINDS[recipient.number(KIND) ?? 1] ?? 'To'}: ${line}\n`;
    for (const id of RECIPIENT_IDS) seen.add(await recipient.short(id));
  }
  for (const [name, id] of DISPLAYED) {
    const names = notIn(seen, await properties.short(id));
    if (names !== '') yield `${name}: ${names}\n`;
  }
}

/** The displayed names repeat the recipients, unless someone was removed from them. */
function notIn(seen: ReadonlySet<string>, names: string): string {
  if (seen.has(names)) return '';
  const others = names.split(';').filter((name) => !seen.has(name.trim()) && name.trim() !== '');
  return others.map((name) => name.trim()).join('; ');
}

async function person(properties: OutlookProperties, ids: readonly number[]): Promise<string> {
  const [name = '', ...addresses] = await Promise.all(ids.map((id) => properties.short(id)));
  const address = addresses.find((found) => found !== '') ?? '';
  return address === '' || address === name ? name : `${name} <${address}>`.trim();
}
