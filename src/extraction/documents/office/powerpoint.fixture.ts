import { type Files, relations, zipped } from './office.fixture.ts';

const P =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';

export const textShape = (...paragraphs: string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title 1"/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${paragraphs
    .map(
      (text) =>
        `<a:p><a:r><a:rPr lang="en-US" dirty="0"/><a:t>${text}</a:t></a:r><a:endParaRPr lang="en-US"/></a:p>`,
    )
    .join('')}</p:txBody></p:sp>`;

export const slide = (inside: string, root = 'sld'): string =>
  `<p:${root} ${P}><p:cSld><p:spTree>${inside}</p:spTree></p:cSld></p:${root}>`;

/** The slides are shown in the reverse order of their files. */
export function powerPointFiles(slides: readonly string[], more: Files = {}): Files {
  const numbered = slides.map((inside, i) => ({ inside, number: slides.length - i }));
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst>${numbered
      .map(({ number }) => `<p:sldId id="${255 + number}" r:id="rId${number}"/>`)
      .join('')}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(
        numbered.map(({ number }) => [`rId${number}`, ['slide', `slides/slide${number}.xml`]]),
      ),
    ),
    ...Object.fromEntries(
      numbered.map(({ inside, number }) => [`ppt/slides/slide${number}.xml`, slide(inside)]),
    ),
    ...more,
  };
}

export const powerPoint = (slides: readonly string[], more: Files = {}): Buffer =>
  zipped(powerPointFiles(slides, more));
