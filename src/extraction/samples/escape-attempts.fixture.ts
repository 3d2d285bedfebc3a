/** Documents that reference foreign files and addresses. */
import { excelFiles, rowXml, sheetXml } from '../documents/office/excel/excel.fixture.ts';
import { relations, zipped } from '../documents/office/office.fixture.ts';
import { contentXml, openFiles } from '../documents/office/open-document/open-document.fixture.ts';
import { body, paragraph, word, wordFiles } from '../documents/office/word.fixture.ts';
import { lines, PdfFixture } from '../documents/pdf/pdf.fixture.ts';

export interface EscapeAttempt {
  readonly what: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const file = (what: string, name: string, content: string | Uint8Array): EscapeAttempt => ({
  what,
  name,
  bytes: Buffer.from(content as string),
});

/** External entities: `path` would be put into the text. */
export function entityFiles(path: string): EscapeAttempt[] {
  const declared = `<!DOCTYPE x [<!ENTITY f SYSTEM "file://${path}"><!ENTITY % p SYSTEM "file://${path}"> %p;]>`;
  const xml = `<?xml version="1.0"?>${declared}`;
  const strings = ['before &f;'];
  const sheet = excelFiles({ S: sheetXml(rowXml(1, ['x'], [])) }, strings);
  return [
    file('XML', 'a.xml', `${xml}<x>before &f;<xi:include href="file://${path}" parse="text"/></x>`),
    file('SVG', 'a.svg', `${xml}<svg><text>before &f;</text><image href="file://${path}"/></svg>`),
    file('HTML', 'a.html', `<!doctype html><p>before</p><iframe src="file://${path}"></iframe>`),
    file('Word', 'a.docx', word('', { 'word/document.xml': xml + body(paragraph('before &f;')) })),
    file(
      'Excel',
      'a.xlsx',
      zipped({ ...sheet, 'xl/sharedStrings.xml': `${xml}${String(sheet['xl/sharedStrings.xml'])}` }),
    ),
    file(
      'OpenDocument',
      'a.odt',
      zipped(
        openFiles('text', '', { 'content.xml': xml + contentXml('text', '<text:p>before &f;</text:p>') }),
      ),
    ),
    file('RTF', 'a.rtf', `{\\rtf1 before {\\field{\\*\\fldinst INCLUDETEXT "${path}"}{\\fldrslt }}}`),
    file('PDF', 'a.pdf', pdfWith(`<< /S /Launch /F (${path}) >>`, `/F (${path})`)),
    file('mail', 'a.eml', mailAt(`access-type=local-file; name="${path}"`)),
  ];
}

/** Pictures, styles, templates, actions and forms from `url`. */
export function callingFiles(url: string): EscapeAttempt[] {
  const wordRelations = relations({
    rId1: ['image', url],
    rId2: ['attachedTemplate', url],
    rId3: ['header', url],
  });
  const actions = ['URI /URI', 'GoToR /F', 'Launch /F', 'SubmitForm /F', 'ImportData /F', 'JavaScript /JS'];
  return [
    file(
      'HTML',
      'a.html',
      `<!doctype html><base href="${url}"><link rel="stylesheet" href="${url}"><script src="${url}"></script><img src="${url}"><iframe src="${url}"></iframe><meta http-equiv="refresh" content="0;url=${url}">`,
    ),
    file(
      'SVG',
      'a.svg',
      `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "${url}"><?xml-stylesheet href="${url}"?><svg><image xlink:href="${url}"/><use href="${url}#a"/></svg>`,
    ),
    ...actions.map((action) =>
      file(action, 'a.pdf', pdfWith(`<< /S /${action} (${url}) >>`, `/FS /URL /F (${url})`)),
    ),
    file(
      'Word',
      'a.docx',
      zipped(wordFiles(paragraph('text'), { 'word/_rels/document.xml.rels': wordRelations })),
    ),
    file(
      'OpenDocument',
      'a.odt',
      zipped(
        openFiles('text', `<text:p><draw:frame><draw:image xlink:href="${url}"/></draw:frame></text:p>`),
      ),
    ),
    file('RTF', 'a.rtf', `{\\rtf1{\\*\\template ${url}}{\\field{\\*\\fldinst INCLUDEPICTURE "${url}"}}}`),
    file('mail', 'a.eml', mailAt(`access-type=URL; URL="${url}"`)),
    file('calendar', 'a.ics', `BEGIN:VCALENDAR\r\nURL:${url}\r\nATTACH:${url}\r\nEND:VCALENDAR\r\n`),
  ];
}

/** An action for whenever there may be one, and a stream that is not in the document. */
function pdfWith(action: string, elsewhere: string): Buffer {
  const pdf = new PdfFixture();
  const picture = pdf.raw(`/Type /XObject /Subtype /Image /Width 9 /Height 9 ${elsewhere}`, Buffer.alloc(0));
  const link = pdf.add(`<< /Subtype /Link /Rect [0 0 9 9] /A ${action} /AA << /PO ${action} >> >>`);
  const page = {
    content: `${lines('before')} /X Do`,
    resources: `/XObject << /X ${picture} 0 R >>`,
    entries: `/Annots [${link} 0 R] /AA << /O ${action} >>`,
  };
  return pdf.build(pdf.pages([page], `/OpenAction ${action} /AA << /WC ${action} >>`));
}

function mailAt(where: string): string {
  return `From: ann@example.com\r\nSubject: before\r\nContent-Type: message/external-body; ${where}\r\n\r\nContent-Type: text/plain\r\n\r\n`;
}
