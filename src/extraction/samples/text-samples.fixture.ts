import { crlf } from '../formats/mail/mail.fixture.ts';
import { MARKER, type Sample } from './sample.fixture.ts';

const mail = crlf(
  'Received: from mail.example.org by mx.example.net; Mon, 5 Jan 2026 10:00:00 +0000',
  'From: =?utf-8?Q?J=C3=BCrgen?= <ann@example.com>',
  'To: bob@example.com',
  'Subject: papers',
  'Content-Type: multipart/mixed; boundary="b 1"',
  '',
  'for old readers',
  '--b 1',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=C3=BC=C3=9Fe, a long line that goes =',
  `on; the ${MARKER}.`,
  '--inner',
  'Content-Type: text/html; charset=iso-8859-1',
  '',
  '<p>Gr&uuml;&szlig;e<br>x</p>',
  '--inner--',
  '--b 1',
  'Content-Type: message/rfc822',
  '',
  'From: carl@example.com',
  'Subject: the one before',
  '',
  'older words',
  '--b 1',
  'Content-Type: text/csv; name="a.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('name,mail\nann,ann@example.com\n').toString('base64'),
  '--b 1--',
  '',
);

const html = `<!DOCTYPE html><html><head><title>A page</title><style>p { color: red }</style><script>let a = "<p>";</script></head>
<body><!-- a note --><p class="x" title='y'>Caf&eacute; &#x20AC; &amp; the <b>har</b>bour master 7412</p>
<table><tr><td>name</td><td>ann</td></tr></table><img src="a.png" alt="A face"><a href="mailto:ann@example.com">write</a></body></html>`;

const xml = `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE people [<!ENTITY a "b">]>
<people xmlns:x="urn:x"><person id="1" x:mail="ann@example.com"><name>Ann &amp; ${MARKER}</name><![CDATA[<raw>]]></person><?pi data?><!-- a note --></people>`;

const calendar = crlf(
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:1@example.com',
  'DTSTART;TZID=Europe/Berlin:20260105T100000',
  'SUMMARY:A meeting\\, with many',
  ' words in it',
  `DESCRIPTION;ALTREP="cid:x":the ${MARKER}\\nmore`,
  'ATTENDEE;CN="Ann Smith":mailto:ann@example.com',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
);

const card = crlf(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'N:Smith;Ann;;;',
  'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ann =',
  '=C3=BC Smith',
  'TEL;TYPE=CELL:+1 555 0100',
  `NOTE:the ${MARKER}`,
  'PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe',
  ' AAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
  'END:VCARD',
  '',
);

const envelope = 'From ann@example.com Mon Jan  5 10:00:00 2026\r\n';

const texts: Readonly<Record<string, string | Uint8Array>> = {
  txt: `A few lines.\nGrüße, 1 €, 😀\nThe ${MARKER} is here.\n`.repeat(20),
  wide: Buffer.from(`\ufeffWide characters, ü 😀 \n the ${MARKER}\n`.repeat(20), 'utf16le'),
  csv: `name;mail;note\nann;ann@example.com;"a ""quoted""\nnote"\nbob;bob@example.com;${MARKER}\n`.repeat(5),
  json: JSON.stringify({ people: [{ name: 'Ann', note: `the ${MARKER}`, more: [1, [null, { a: 'ü\\' }]] }] }),
  ndjson: `{"name":"ann","n":1}\n{"note":"${MARKER}","deep":{"a":[1,2]}}\n`.repeat(10),
  html,
  xml,
  eml: mail,
  mbox: Buffer.concat([Buffer.from(envelope), mail, Buffer.from(`\r\n${envelope}`), mail]),
  ics: calendar,
  vcf: card,
};

export const textSamples: readonly Sample[] = Object.entries(texts).map(([format, text]) => ({
  format,
  name: `sample.${format === 'wide' ? 'txt' : format}`,
  bytes: Buffer.from(text as string),
  marker: MARKER,
  endless: true,
}));
