/**
 * What kind of text surrounds a value, from the bytes of its block: independent of the name of the file, of the format and of how a large
 * text is divided, and the same for all values of a block. Only asked about matches, so text without findings costs nothing.
 */
import { textOf } from '../bytes.ts';

export const TEXT_CLASS = {
  /** Instructions and registers. */
  assembly: 1 << 0,
  /** Change logs, commit messages, headings of author lists, licence texts. */
  notice: 1 << 1,
  /** Has lines that claim a copyright, which name their owners. */
  copyright: 1 << 2,
} as const;
export type TextClass = keyof typeof TEXT_CLASS;

/** Values whose starts are in the same block, by offset in the text, have the same class. */
export const CLASS_BLOCK = 1024;
const READ_BYTES = 1280;

const INSTRUCTION =
  /^[ \t]*(?:[\w.$]+:)?[ \t]+[A-Za-z][A-Za-z0-9.]{1,9}[ \t]+(?:[^\n]*[ ,(%[])?%?(?:[re]?[abcds][xpi]|[re]?[sb]p|[rRxXwWvVyY]\d{1,2}|[A-D]X|[SD]I|[xyz]mm\d+|[XYZ]\d{1,2}|SP|FP|SB)\b/gm;
const MIN_INSTRUCTIONS = 3;
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const TRAILER = '(?:Signed-off|Reviewed|Acked|Tested|Reported|Suggested|Co-authored|Co-developed)';
const NOTICE = new RegExp(
  [
    `^ -- [^<\\n]+<[^>\\n]+> +${DAY}`,
    `^\\* ${DAY} [A-Z][a-z]{2} +\\d{1,2} \\d{4} `,
    '^\\d{4}-\\d\\d-\\d\\d(?:  |\\t)[A-Z\\x80-\\xff][^<\\n:\\d]{2,40}<',
    '^(?:commit|Merge:) [0-9a-f]{7,40}',
    '^Author:[^<\\n]*<',
    '^[^\\n]{3,40} \\(\\d+\\):$',
    `\\b(?:${TRAILER}-by:|(?:Patch|Originally written) by\\b)`,
    // A comment with a person and an address.
    '^(?:[ \\t]*(?://|#|%|;|\\.\\\\"|dnl)| +\\*)[^\\n<]{1,60}<[^>\\n ]+@[^>\\n ]+>',
    '"(?:author|contributors|maintainers)"\\s*:|\\b(?:[Ww]ritten|[Cc]ontributed|[Pp]orted|[Mm]aintained)(?: or \\w+)? by\\b',
    '^\\.SH "?(?:AUT(?:EUR|OR)|TRADU|\\S{1,2}BERSETZ|T\\S{1,3}UMACZ|SEE ALSO)',
    'urgency=(?:low|medium|high)|\\b[Cc]loses:? #\\d|\\b(?:bpo-|gh-)\\d{3,}|^Patch \\d+\\.\\d',
    '\\b(?:Last-Translator|[Pp]revious Maintainer|Upstream-Contact|Maintainers?|Module author|Section author|sectionauthor|moduleauthor)\\b ?::?',
    '@author\\b|\\\\author\\b|^[^A-Za-z\\n]{0,6}(?:Original )?[Aa]uthors?(?:\\(s\\))?[:,][ \\t]',
    '^[^A-Za-z\\n]{0,4}(?:\\.SH "?|=head1 |<h\\d>|h\\d\\. )?(?:AUTHORS?|CREDITS|CONTRIBUTORS?|ACKNOWLEDGE?MENTS?|THANKS|MAINTAINERS?|COPYRIGHT(?: AND LICEN[CS]E)?|Authors?|Credits|Contributors|Acknowledge?ments|Thanks to|Maintainers?)\\b[^a-z\\n]{0,12}$',
    '(?:GNU|Lesser|General|Affero|Mozilla|Apache|Artistic|BSD|MIT)[^\\n]{0,20} Licen[cs]e|Permission is hereby granted|SPDX-Licen|WITHOUT ANY WARRANTY|\\bpatch (?:by|from) [A-Z]',
  ].join('|'),
  'm',
);
/** Entries that end with who made them, where they speak of software: a list of persons alone may be of anybody. */
const ATTRIBUTION =
  /[([*_][A-Z\x80-\xff][\w\x80-\xff'.-]+(?: [A-Z\x80-\xff][\w\x80-\xff'.-]*){1,3}(?:, [^)\n]{1,30})?[)\]*_][.,;]?$|\[#\d+\]|\(\w+ #\d+/gm;
const SOFTWARE =
  /\b(?:[Ff]ix(?:ed|es)?|[Bb]ugs?|[Cc]rash\w*|[Cc]ompil\w+|[Bb]uilds?|[Ll]eaks?|API|[Ss]egfault\w*|[Uu]pdate[ds]?|deprecat\w+|[Pp]atch\w*|doc|test|deps|src|lib)\b[ :,.]/g;
const MIN_ENTRIES = 2;
const MIN_WORDS = 3;
const COPYRIGHT = /[Cc]opyright|COPYRIGHT|\([Cc]\) ?\d{4}|\xc2\xa9|@copyright/;
/** A copyright, and the lines after it without an empty one between. */
const OWNER_LINE = /(?:[Cc]opyright|COPYRIGHT|\([Cc]\) ?(?:19|20)\d\d|\xc2\xa9)(?:[^\n]|\n(?!\s*\n))*$/;
const OWNERS_BEFORE = 240;

/** `block`: its first byte. `asked`: only one of assembly and the others is looked for, since both take time. */
export function classOf(bytes: Buffer, block: number, asked: number): number {
  const text = textOf(bytes, Math.max(0, block), block + READ_BYTES);
  if ((asked & ~TEXT_CLASS.assembly) === 0) return isAssembly(text) ? TEXT_CLASS.assembly : 0;
  if (NOTICE.test(text) || isChangeLog(text)) return TEXT_CLASS.notice;
  return COPYRIGHT.test(text) ? TEXT_CLASS.copyright : 0;
}

function isAssembly(text: string): boolean {
  return (text.match(INSTRUCTION)?.length ?? 0) >= MIN_INSTRUCTIONS;
}

function isChangeLog(text: string): boolean {
  return (
    (text.match(ATTRIBUTION)?.length ?? 0) >= MIN_ENTRIES && (text.match(SOFTWARE)?.length ?? 0) >= MIN_WORDS
  );
}

/** Who is named there has written the text or owns it. */
export function isAuthorship(bytes: Buffer, start: number, classes: number): boolean {
  if ((classes & TEXT_CLASS.notice) !== 0) return true;
  return (
    (classes & TEXT_CLASS.copyright) !== 0 && OWNER_LINE.test(textOf(bytes, start - OWNERS_BEFORE, start))
  );
}
