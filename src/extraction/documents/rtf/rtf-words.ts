/**
 * What a group is, by the first word in it: its text is the document's, one of its properties, or nobody's; fonts tell
 * code pages, an object is a document of its own, and a holder only has such groups. A shape has settings, each with a
 * name and a value; what stands in place of a shape is for programs that know no shapes.
 */
export type Destination =
  | 'text'
  | 'property'
  | 'ignored'
  | 'holder'
  | 'fonts'
  | 'object'
  | 'setting name'
  | 'setting value'
  | 'in place of a shape';

export interface DestinationWord {
  readonly destination: Destination;
  /** Stands before its text and after it. */
  readonly apart: string;
}

const listed = (destination: Destination, apart: string, words: string): [string, DestinationWord][] =>
  words.split(' ').map((word) => [word, { destination, apart }]);

const DESTINATIONS: ReadonlyMap<string, DestinationWord> = new Map([
  ...listed('text', '\n', 'annotation dptxbxtext footnote shptxt'),
  ...listed('text', '\n', 'header headerl headerr headerf footer footerl footerr footerf'),
  ...listed('text', ' ', 'atnauthor atnid ffdeftext ffhelptext ffl ffstattext fldinst ud'),
  ...listed('property', '\n', 'author category comment company doccomm docvar hlinkbase keywords manager'),
  ...listed(
    'property',
    '\n',
    'operator mmconnectstr mmdatasource mmquery propname revtbl staticval subject title',
  ),
  ...listed('ignored', '', 'colortbl nonshppict pict rxe stylesheet tc template xe'),
  ...listed('holder', '', 'do formfield info mailmerge shpinst sp userprops'),
  ...listed('fonts', '', 'fonttbl'),
  ...listed('object', '', 'objdata'),
  ...listed('setting name', '', 'sn'),
  ...listed('setting value', '', 'sv'),
  ...listed('in place of a shape', '', 'shprslt'),
]);

const IGNORED: DestinationWord = { destination: 'ignored', apart: '' };

/** `optional`: whoever doesn't know the word must ignore the group. null: it is no destination. */
export function destinationOf(word: string, optional: boolean): DestinationWord | null {
  return DESTINATIONS.get(word) ?? (optional ? IGNORED : null);
}

/** Settings of a shape that say something: what it shows, as letters or in words, and where it leads. */
const TEXT_SETTINGS: ReadonlySet<string> = new Set([
  'gtextUNICODE',
  'wzDescription',
  'wzTooltip',
  'pihlShape',
]);
export const MAX_SETTING_NAME_LENGTH = 32;

export function isTextSetting(setting: string): boolean {
  return TEXT_SETTINGS.has(setting);
}

const standing = (character: string, words: string): [string, string][] =>
  words.split(' ').map((word) => [word, character]);

/** Words and symbols that stand for characters. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...standing('\n', 'par line sect page softline softpage column row nestrow \n \r'),
  ...standing('\t', 'tab cell nestcell'),
  ...standing(' ', 'emspace enspace qmspace'),
  ...standing('-', '_'),
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['~', '\u00a0'],
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
]);

export function characterOf(word: string): string | null {
  return CHARACTERS.get(word) ?? null;
}

/** Words that say something about characters, or where rows of tables are. */
const SETTINGS = 'u uc f fcharset cpg deff plain ansicpg mac bin trowd intbl trhdr'.split(' ');

/** Every word that means something here. */
export const KNOWN_WORDS: readonly string[] = [...DESTINATIONS.keys(), ...CHARACTERS.keys(), ...SETTINGS];

/** Code pages of fonts. Where none is said, it is the document's. */
const CHARSETS: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  179: 1256,
  180: 1256,
  181: 1255,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

export function codePageOfCharset(charset: number): number | null {
  return CHARSETS[charset] ?? null;
}

/** Words that name the document's code page. Text of two bytes for each character never stands in RTF. */
export function codePageOfWord(word: string, value: number): number | null {
  if (word === 'ansicpg') return value === 0 || value === 1200 || value === 1201 ? 1252 : value;
  return word === 'mac' ? 10000 : null;
}
