/** What PowerPoint asks for before it shows a slide: a master, a layout, colours and fonts. */
const SCHEMAS = 'http://schemas.openxmlformats.org';
export const NAMES = `xmlns:a="${SCHEMAS}/drawingml/2006/main" xmlns:r="${SCHEMAS}/officeDocument/2006/relationships" xmlns:p="${SCHEMAS}/presentationml/2006/main"`;

const COLOURS =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';

export const masterXml = (tree: string): string =>
  `<p:sldMaster ${NAMES}>${tree}${COLOURS}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`;

export const layoutXml = (tree: string): string =>
  `<p:sldLayout ${NAMES} type="titleOnly">${tree}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`;

export const notesMasterXml = (tree: string): string =>
  `<p:notesMaster ${NAMES}>${tree}${COLOURS}</p:notesMaster>`;

const colour = (name: string, rgb: string) => `<a:${name}><a:srgbClr val="${rgb}"/></a:${name}>`;
const PALETTE: Readonly<Record<string, string>> = {
  dk1: '000000',
  lt1: 'FFFFFF',
  dk2: '1F3B4D',
  lt2: 'E7EEF1',
  accent1: '2E7D9A',
  accent2: 'C77F2B',
  accent3: '5B8C5A',
  accent4: '8C4B5A',
  accent5: '6B6B8C',
  accent6: '9A8F2E',
  hlink: '0563C1',
  folHlink: '954F72',
};
const font = (name: string) =>
  `<a:${name}><a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/></a:${name}>`;
const FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const LINE = `<a:ln w="9525">${FILL}</a:ln>`;
const EFFECT = '<a:effectStyle><a:effectLst/></a:effectStyle>';

/** Three of each style: PowerPoint requires that many. */
export const THEME: string =
  `<a:theme xmlns:a="${SCHEMAS}/drawingml/2006/main" name="Brightwater"><a:themeElements>` +
  `<a:clrScheme name="Brightwater">${Object.entries(PALETTE)
    .map(([name, rgb]) => colour(name, rgb))
    .join('')}</a:clrScheme>` +
  `<a:fontScheme name="Brightwater">${font('majorFont')}${font('minorFont')}</a:fontScheme>` +
  `<a:fmtScheme name="Brightwater"><a:fillStyleLst>${FILL.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${LINE.repeat(3)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${EFFECT.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${FILL.repeat(3)}</a:bgFillStyleLst></a:fmtScheme>` +
  '</a:themeElements></a:theme>';
