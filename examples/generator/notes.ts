/** Notes in every charset people still use. */
import { ipv6, privateIp } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { password, slackToken } from './secrets.ts';
import { plant, type Share } from './share.ts';
import { creditCard, iban, ssn } from './values.ts';

const utf16 = (text: string) => Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

export function addNotes(share: Share, random: Random): void {
  addCharsets(share, random);
  addScraps(share, random);
  addHarmless(share);
}

function addCharsets(share: Share, random: Random): void {
  const caller = customer(random);
  share.add(
    'notes/call back list (Windows).txt',
    `Call back

${caller.plain}  ${caller.phone}  wants the green one
card on the phone: ${creditCard(random)}   (I know, I know)
SSN for the credit form ${ssn(random)}
write to ${caller.email}
`,
    utf16,
  );
  share.add(
    'notes/Besprechung Köln.txt',
    `Besprechung in Köln, Händler für Süddeutschland

Überweisung der Anzahlung an IBAN ${iban(random, 'DE', true)}
Rückfragen an ${mailbox('einkauf', 'nordlicht-zelte.example')}, Telefon ${plant('PHONE', '+49 30 23125 042')}

Schöne Grüße, und die Zelte heißen jetzt „Möwe“.
`.replaceAll(/[„“]/g, '"'),
    latin1,
  );
  share.add(
    'notes/réunion-marseille.txt',
    `Réunion à Marseille

La marge est trop étroite, la bouillabaisse excellente.
Virement : IBAN ${iban(random, 'FR', true)}
Contact : ${mailbox('compta', 'maison-galet.example')}
Prénom du garçon : oublié. Café : inoubliable.
`,
  );
  share.add(
    'notes/東京展示会.md',
    `# 東京展示会のメモ

- 防水ジャケットがとても人気でした。
- 連絡先：${mailbox('tokyo', 'kawabe-sports.example')}（川辺スポーツ）
- ブースのルーター：${privateIp(random)}
- 来年は長靴をもっと持っていくこと。カワウソのワッペンは全部なくなりました。
`,
  );
}

function addScraps(share: Share, random: Random): void {
  share.add(
    'notes/passwords.txt',
    `NOT passwords. Just words.

router    password: ${password(random)}
coffee    password: ${password(random)}
bear costume locker   password: ${password(random)}

slack bot ${slackToken(random)}
`,
  );
  const [first, second] = [colleague(random), colleague(random)];
  share.add(
    'notes/standup.md',
    `# Standup

- ${first.first}: tills. The printer at ${privateIp(random)} is printing in Welsh again.
- ${second.first}: IPv6 in the warehouse, first host is ${ipv6(random)}.
- Everyone: stop replying to ${mailbox('all-company')}.
`,
  );
}

function addHarmless(share: Share): void {
  share.add(
    'notes/office-plants.md',
    `# Office plants

| plant | waters | mood |
|---|---|---|
| fern | Mon, Thu | dramatic |
| cactus | quarterly | unbothered |
| "the tall one" | when asked | suspicious |
`,
  );
}
