/** Approximate terminal columns of a text: 0 for combining marks, 2 for East Asian characters and emoji, 1 for the rest. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
// Half-width forms belong to the same scripts but are narrow.
const wide = new RegExp(
  '^(?![\\uff61-\\uffdc])(?:\\p{Emoji_Presentation}|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}' +
    '\\u3000-\\u303e\\uff01-\\uff60\\uffe0-\\uffe6])',
  'u',
);

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  // U+FE0F selects the emoji form of a character that is narrow as text.
  return wide.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

/** Removes the middle: the start of a path names its owner and the end the file. The end keeps more. */
export function truncateMiddle(text: string, width: number, ellipsis = '…'): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  if (room <= 0) return takeStart(ellipsis, width);
  const head = takeStart(text, Math.floor(room / 3));
  return head + ellipsis + takeEnd(text, room - widthOf(head));
}

export function truncateEnd(text: string, width: number, ellipsis = '…'): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  return room <= 0 ? takeStart(ellipsis, width) : takeStart(text, room) + ellipsis;
}

/** Wraps at spaces; a word longer than the width gets its own, longer line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function takeStart(text: string, width: number): string {
  return take([...graphemes.segment(text)], width).join('');
}

function takeEnd(text: string, width: number): string {
  return take([...graphemes.segment(text)].reverse(), width)
    .reverse()
    .join('');
}

/** Cuts between graphemes only: half an emoji is another character. */
function take(segments: readonly Intl.SegmentData[], width: number): string[] {
  const taken: string[] = [];
  let left = width;
  for (const { segment } of segments) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    taken.push(segment);
  }
  return taken;
}
