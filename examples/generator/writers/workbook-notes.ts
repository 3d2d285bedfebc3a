/** A note at a cell: its text in one part, and the yellow box that shows it in another. */
import { type Part, partType, type Relation } from './office-package.ts';
import { escaped } from './xml.ts';

interface Note {
  readonly cell: string;
  readonly by: string;
  readonly text: string;
}

const NAMES = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

export function noteParts(note: Note, sheet: number): { parts: Part[]; relations: Relation[] } {
  const box = `drawings/vmlDrawing${sheet}.vml`;
  const comments = `comments${sheet}.xml`;
  return {
    parts: [
      { path: `xl/${comments}`, type: partType('spreadsheetml', 'comments'), xml: textXml(note) },
      { path: `xl/${box}`, type: '', xml: boxXml(note) },
    ],
    relations: [
      { id: 'rId1', type: 'vmlDrawing', target: `../${box}` },
      { id: 'rId2', type: 'comments', target: `../${comments}` },
    ],
  };
}

function textXml({ cell, by, text }: Note): string {
  const author = `<authors><author>${escaped(by)}</author></authors>`;
  const inside = `<text><r><rPr><b/><sz val="9"/></rPr><t>${escaped(by)}:</t></r><r><rPr><sz val="9"/></rPr><t xml:space="preserve"> ${escaped(text)}</t></r></text>`;
  return `<comments ${NAMES}>${author}<commentList><comment ref="${cell}" authorId="0">${inside}</comment></commentList></comments>`;
}

function boxXml({ cell }: Note): string {
  const [column, row] = [cell.charCodeAt(0) - 65, Number(cell.slice(1)) - 1];
  const client = `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData>`;
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
    '<v:shape id="_x0000_s1025" type="#_x0000_t202" style="position:absolute;margin-left:80pt;margin-top:2pt;width:108pt;height:60pt;z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">' +
    `<v:fill color2="#ffffe1"/><v:textbox style="mso-direction-alt:auto"/>${client}</v:shape></xml>`
  );
}
