/**
 * The destination of a group, by its first word: its text belongs to the document, to one of its properties, or is ignored; fonts define
 * code pages, an object is a document of its own, and a holder only contains other groups. A shape has settings, each with a name and a
 * value; its fallback is for programs without support for shapes.
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
  /** The separator before and after its text. */
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

/** `optional`: the group must be ignored if the word is unknown. Returns null if it is not a destination. */
export function destinationOf(word: string, optional: boolean): DestinationWord | null {
  return DESTINATIONS.get(word) ?? (optional ? IGNORED : null);
}

/** Settings of a shape with content: its text, description and link target. */
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

const replacements = (character: string, words: string): [string, string][] =>
  words.split(' ').map((word) => [word, character]);

/** Words and symbols that represent characters. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...replacements('\n', 'par line sect page softline softpage column row nestrow \n \r'),
  ...replacements('\t', 'tab cell nestcell'),
  ...replacements(' ', 'emspace enspace qmspace'),
  ...replacements('-', '_'),
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

/** Words that affect characters, or delimit table rows. */
const SETTINGS = 'u uc f fcharset cpg deff plain ansicpg mac bin trowd intbl trhdr'.split(' ');

/** Every word that means something here. */
export const KNOWN_WORDS: readonly string[] = [...DESTINATIONS.keys(), ...CHARACTERS.keys(), ...SETTINGS];

/** Code pages by font charset. Default: that of the document. */
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

/** Words that set the document's code page. UTF-16 text does not occur in RTF. */
export function codePageOfWord(word: string, value: number): number | null {
  if (word === 'ansicpg') return value === 0 || value === 1200 || value === 1201 ? 1252 : value;
  return word === 'mac' ? 10000 : null;
}
