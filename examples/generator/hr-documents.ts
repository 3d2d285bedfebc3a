/** What the people department writes in Word, Excel and PowerPoint. */
import { dateOfBirth } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import { plant, type Share } from './share.ts';
import { abaRouting, ssn } from './values.ts';
import { type Presentation, presentation } from './writers/slides.ts';
import { type WordDocument, wordDocument } from './writers/word-document.ts';
import { type Cell, type Workbook, workbook } from './writers/workbook.ts';

const TITLES = ['Buyer', 'Store Lead', 'Fly-Tying Instructor', 'Warehouse Associate', 'Kayak Technician'];
const TEAMS = ['Stores', 'Warehouse', 'Boats', 'Web', 'Otter relations', 'Finance'];

export function addHrDocuments(share: Share, random: Random): void {
  share.addDocument('hr/handbook-2024.docx', handbook(random), wordDocument);
  share.addDocument('hr/salaries-2024.xlsx', salaries(random), workbook);
  share.addDocument('hr/org-chart.pptx', orgChart(random), presentation);
}

function handbook(random: Random): WordDocument {
  const [author, aider, sample] = [colleague(random), colleague(random), colleague(random)];
  return {
    title: 'The Brightwater handbook, 2024',
    author: author.plain,
    header: `Internal. Found one on the bus? Please write to ${mailbox('people')}.`,
    blocks: [
      { heading: 'The Brightwater handbook' },
      'Waders are not trousers. Everything else is explained below.',
      { heading: 'Whom to call' },
      {
        table: [
          ['Name', 'Phone', 'E-mail'],
          ...random.times(6, () => {
            const { name, phone, email } = colleague(random);
            return [name, phone, email];
          }),
        ],
      },
      {
        text: 'First aid is on the second floor, behind the canoe.',
        footnote: `Out of hours: ${aider.plain}, home phone ${aider.phone}.`,
      },
      { heading: 'How to fill in a W-4' },
      {
        text: `Name ${sample.plain}, SSN ${ssn(random)}, as in this example.`,
        comment: 'Is this an example, or is this you? If it is you, please make it an example.',
        by: author.plain,
      },
      {
        text: 'Guests use the guest network.',
        struck: ` Its password: ${password(random)}`,
        by: author.plain,
      },
      'Steps in a boat do not count as steps.',
    ],
  };
}

function salaries(random: Random): Workbook {
  const staff = random.times(28, () => colleague(random));
  const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): Cell[][] => [
    ['Brightwater Outfitters, salaries 2024'],
    ['Confidential. Please do not leave it in the printer again.'],
    [...head],
    ...rows.map((row) => [...row]),
  ];
  const boss = staff[0]!;
  return {
    title: 'Salaries 2024',
    author: boss.plain,
    sheets: [
      {
        name: 'Salaries',
        widths: [24, 14, 14, 22, 12],
        rows: table(
          ['Full name', 'SSN', 'Date of birth', 'Title', 'Salary'],
          staff.map(({ name }) => [
            name,
            { grouped: ssn(random) },
            { day: dateOfBirth(random) },
            random.pick(TITLES),
            random.int(38, 96) * 1000,
          ]),
        ),
        note: { cell: 'E4', by: boss.plain, text: `Also gets the boat. Ask ${boss.email} before changing.` },
      },
      {
        name: 'Bank',
        widths: [24, 16, 34],
        rows: table(
          ['Full name', 'Routing number', 'E-mail'],
          staff.map(({ name, email }) => [name, abaRouting(random), email]),
        ),
      },
      {
        name: 'do not show',
        hidden: true,
        widths: [24, 40, 16],
        rows: table(
          ['Full name', 'Home address', 'Phone'],
          staff.slice(0, 8).map(({ name, address, phone }) => [name, address, phone]),
        ),
      },
    ],
  };
}

function orgChart(random: Random): Presentation {
  const heads = TEAMS.map((team) => ({ team, ...colleague(random) }));
  const away = random.times(4, () => ({
    who: colleague(random),
    code: random.pick(['S52.5', 'J10.1', 'M54.5', 'T63.4']),
  }));
  const doctor = customer(random);
  return {
    title: 'Who is who',
    author: heads[0]!.plain,
    slides: [
      {
        title: 'Who is who, and who is above whom when the river is not',
        notes: 'Wait for the laugh. There may be none.',
      },
      {
        title: 'Heads of teams',
        boxes: heads.map(({ team, plain, email, phone }) => [team, plain, email, phone]),
      },
      {
        title: 'Away, and who does it instead',
        table: [
          ['Name', 'Doctor says', 'Back on', 'Instead'],
          ...away.map(({ who, code }) => [
            who.name,
            `ICD-10: ${plant('DIAGNOSIS', code)}`,
            random.day(2024, 2024),
            colleague(random).first,
          ]),
        ],
        notes: `Take this slide out before the all-hands. Dr. ${doctor.last} (${doctor.phone}) asked us to. Projector password: ${password(random)}`,
      },
    ],
  };
}
