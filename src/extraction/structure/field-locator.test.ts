import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format } from '../extraction.ts';
import { fieldLocatorOf } from './field-locator.ts';

/** `^` marks the position. */
function field(format: Format, marked: string): string | null {
  const at = Buffer.from(marked.slice(0, marked.indexOf('^'))).length;
  const bytes = Buffer.from(marked.replace('^', ''));
  return fieldLocatorOf(format, bytes).fieldAt(bytes, at);
}

describe.each<[Format, [string, string | null][]]>([
  [
    'text',
    [
      ['email=^a@b.c', 'email'],
      ['Social Security Number: ^123', 'Social Security Number'],
      ['**Größe:** ^1', 'Größe'],
      ['call me at ^123', null],
      ['see https://^x', null],
      ['mailto:^a@b.c', null],
      ['key:\n^value', null],
      ['the "card" : "^4111', 'card'],
      ['^first', null],
    ],
  ],
  [
    'log',
    [
      ['2024-01-01 INFO user email: ^a@b.c', 'email'],
      ['level=info user=^ann', 'user'],
      ['msg="sent to ^a@b.c"', null],
    ],
  ],
  [
    'code',
    [
      ['const ssn = "^123"', 'ssn'],
      ['  password: "^x",', 'password'],
      ["  'api_key' => '^x',", 'api_key'],
      ['a = 1; b := `^x`', 'b'],
      ['{ssn:^123}', 'ssn'],
      ['url = "postgres://u:^p@host"', 'url'],
      ['if (user.ssn === "^1")', 'user.ssn'],
      ['f(^1)', null],
    ],
  ],
  [
    'env',
    [
      ['A=1\nexport DB_URL=postgres://u:^p@h', 'DB_URL'],
      ['# ^comment', null],
    ],
  ],
  [
    'yaml',
    [
      ['user:\n  - name: Ann\n    mail: x, ^a@b.c', 'mail'],
      ['  - "quoted key": ^1', 'quoted key'],
      ['- ^1', null],
    ],
  ],
  [
    'ini',
    [
      ['[db]\nhost=x\npassword = ^y', '[db] password'],
      ['[a]\nx=1\n[b.c]\nlist = [1, ^2]', '[b.c] list'],
      ['plain.key=^1', 'plain.key'],
    ],
  ],
  [
    'xml',
    [
      ['<user><name>Ann</name><mail>^a@b.c</mail></user>', 'mail'],
      ['<user id="7" mail="^a@b.c">', 'mail'],
      ["<user mail='x ^y'>", 'mail'],
      ['<a><b>1</b><c/> ^2</a>', 'a'],
      ['<a><![CDATA[ x ^y ]]></a>', 'a'],
      ['<!-- ^x -->', null],
      ['<!-- password: ^x -->', 'password'],
      ['<a>1 < 2 ^3</a>', 'a'],
      ['<mail>Ann <^a@b.c></mail>', 'mail'],
      ['<a data="{"ssn":"^123"}">', 'ssn'],
      ['^x', null],
    ],
  ],
  [
    'vcf',
    [
      ['TEL;TYPE=CELL:^(503) 555', 'TEL'],
      ['TEL;VALUE=uri:tel:^+1-503', 'TEL'],
      ['item1.BDAY:^1966', 'BDAY'],
    ],
  ],
  [
    'html',
    [
      ['<p>one<br>two ^three</p>', 'p'],
      ['<td>x</td><td>^y</td>', 'td'],
      ['<td>x <b>y</b> ^z</td>', 'td'],
      ['<td><span>^z</span></td>', 'td'],
      ['<td><b>41111111 ^z</td>', 'td'],
      ['<p>x <a href="^z">', 'href'],
      ['<input name=ssn value=^123>', 'value'],
      ['<table><tr><th>Name<th class=x>Tax <b>id</b></tr><tr><td>Ann<td>^1', 'Tax id'],
      [
        '<table>\n<thead>\n<TR>\n<TH>Name</TH>\n<TH>SSN:</TH></TR>\n</thead><TR><TD>x</TD><TD align="r">^1',
        'SSN',
      ],
      ['<table><tr><th>A<th>B<tr><td>1<td>2<tr><td><table><tr><td>x</td></tr></table></td><td>^3', 'B'],
      ['<table><tr><th colspan=3>People<tr><th>A<th>B<th>C<tr><td colspan="2">1<td>^2', 'C'],
      ['<table><tr><th colspan="2">Both<th>C<tr><td>1<td>^2', 'Both'],
      ['<table><tr><th>A<th>B<tr><td><p class=x>1</p></td><td> <p><span>^2', 'B'],
      ['<table><tr><th>A<th>B<tr><td><div>1</div> <div>^2', 'div'],
      ['<table><tr><th>Born:</th><td>^1980', 'Born'],
      ['<table><tr><th>A</th><td>1</td><th>B</th><td>^2', 'B'],
      ['<table><tr><th>A<th>B</table><table><tr><td>1<td>^2', 'td'],
      ['<table><tr><th>Name<th>12345678<tr><td>1<td>^2', 'td'],
      ['<tr><td>1<td>^2', 'td'],
    ],
  ],
])('%s', (format, cases) => {
  it.each(cases)('%j → %j', (marked, expected) => expect(field(format, marked)).toBe(expected));
});

it('a name that looks like a value is never shown', () => {
  expect(field('text', 'ann@example.com=^x')).not.toContain('@');
  expect(field('ini', 'a123-45-6789 = ^x')).toBe('*');
});

it('garbage never throws, at any position of any window', () => {
  const formats: Format[] = [
    'text',
    'log',
    'csv',
    'tsv',
    'json',
    'ndjson',
    'xml',
    'html',
    'markdown',
    'code',
    'env',
    'ini',
    'yaml',
    'eml',
  ];
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('"\\\n\r<>{}[]:,;=| ')));
  fc.assert(
    fc.property(
      fc.constantFrom(...formats),
      fc.array(byte, { maxLength: 80 }),
      fc.array(byte, { maxLength: 40 }),
      (format, head, window) => {
        const { fieldAt } = fieldLocatorOf(format, Uint8Array.from(head));
        for (let at = 0; at <= window.length; at++) {
          const found = fieldAt(Uint8Array.from(window), at);
          expect(found === null || found.length > 0).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('reports the scope in which a value is named', () => {
  const fieldScopeOf = (format: Format, head = '') => fieldLocatorOf(format, Buffer.from(head)).fieldScope;
  for (const format of ['text', 'markdown', 'log', 'code', 'env', 'eml'] as const)
    expect(fieldScopeOf(format)).toBe('near');
  for (const format of ['json', 'ndjson', 'xml', 'html', 'yaml', 'ini'] as const)
    expect(fieldScopeOf(format)).toBe('lists');
  expect(fieldScopeOf('csv', 'id,mail\n1,x\n')).toBe('columns');
  expect(fieldScopeOf('csv', '1,jane@acme.example\n')).toBe('near');
});
