import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EditedText } from '../edited-text.ts';
import { BlockBuffer } from '../rewriter.ts';
import { EntityReader } from './entities.ts';
import { type MarkupFinder, markupFinder, ScalarMarkupFinder } from './markup-finder.ts';
import { MarkupRewriter } from './markup-rewriter.ts';

interface Rewritten {
  readonly text: string;
  readonly origins: readonly number[];
}

/** Overwrites the chunks, and queries offsets when text is emitted. */
function rewritten(
  bytes: Uint8Array,
  format: 'html' | 'xml',
  sizes: readonly number[],
  finder: MarkupFinder,
  charset: 'utf-8' | 'latin1' = 'utf-8',
): Rewritten {
  const origins: number[] = [];
  let text = '';
  const edited = new EditedText((chunk) => {
    expect(chunk.length).toBeGreaterThan(0);
    for (let i = 0; i < chunk.length; i++) origins.push(edited.offsetMap.at(text.length + i));
    text += Buffer.from(chunk).toString('latin1');
  });
  const blocks = new BlockBuffer(new MarkupRewriter(edited, { format, charset }, finder));
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const chunk = Uint8Array.from(bytes.subarray(at, at + sizes[n % sizes.length]!));
    blocks.push(chunk);
    at += chunk.length;
    chunk.fill(0x26);
  }
  blocks.end();
  return { text, origins: [...origins, edited.offsetMap.at(text.length)] };
}

const DIVIDER =
  /&shy;|&#173;|&#8203;|\xc2\xad|\xe2\x80\x8b|<(\/?)(b|big|em|font|i|mark|s|small|strong|tt|u|wbr|a|code|span)(?=[ />])((?: +class=(?:"[^"]*"|\w+))*) *\/?>/iy;
const WORD = /^[\w@.\x80-\xff-]/;

/** The reference: the same rules applied one after another to the whole text. */
function straightforward(bytes: Uint8Array, format: 'html' | 'xml'): Rewritten {
  const source = Buffer.from(bytes).toString('latin1');
  const entities = new EntityReader(format);
  const origins: number[] = [];
  const text: string[] = [];
  const entity = (at: number) => {
    const code = source[at] === '&' ? entities.read(bytes, at, bytes.length) : 0;
    return code > 0 ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : null;
  };
  const entityEnd = (at: number) => {
    if (entity(at) === null) return at + 1;
    entities.read(bytes, at, bytes.length);
    return entities.end;
  };
  const put = (more: string, at: number, end: number) => {
    for (let i = 0; i < more.length; i++) origins.push(Math.min(at + i, end));
    text.push(...more);
  };
  for (let at = 0; at < source.length; ) {
    const before = text.slice(-2).join('');
    const behindBlank = source[at] === '<' && /^\d $/.test(before);
    const html = format === 'html';
    const end = WORD.test(text.at(-1) ?? '') || behindBlank ? dividersEnd(source, at, html) : at;
    const next = entity(end) ?? source[end] ?? '';
    const one = entity(at);
    const number = behindBlank ? /^\d/.test(source[end] ?? '') : /\d$/.test(before) && next === ' ';
    if (
      end > at &&
      (behindBlank
        ? number
        : WORD.test(next) || (number && isGroup(source.slice(at, end), source, entityEnd(end), html)))
    ) {
      at = end;
    } else if (end > at) {
      put(source.slice(at, end), at, end);
      at = end;
    } else if (one !== null && !/^(\xc2\xad|\xe2\x80\x8b)$/.test(one)) {
      entities.read(bytes, at, bytes.length);
      put(one, at, entities.end);
      at = entities.end;
    } else put(source[at]!, at, ++at);
  }
  return { text: text.join(''), origins: [...origins, source.length] };
}

/** After the `dividers` and a blank there is another group of digits at `at`, which dividers may precede. */
function isGroup(dividers: string, source: string, at: number, tags: boolean): boolean {
  const ended = /<\/(a|code|span)[ />]/i.test(dividers);
  const group = source[at] === '<' ? dividersEnd(source, at, tags, ended) : at;
  return /\d/.test(source[group] ?? '');
}

function dividersEnd(source: string, from: number, tags: boolean, behind = false): number {
  let ended = behind;
  let at = from;
  for (;;) {
    DIVIDER.lastIndex = at;
    const found = DIVIDER.exec(source);
    if (found === null || (!tags && (found[2] || found[0] === '&shy;'))) return at;
    at = DIVIDER.lastIndex;
    const sibling = /^(a|code|span)$/i.test(found[2] ?? '');
    if (sibling && found[1] === '' && ended) return from;
    ended ||= sibling && found[1] === '/';
  }
}

const piece = fc.constantFrom(
  ...['a', '1', '7', '4 ', ' 5', '@', '.', ' ', '\n', 'é', '“', '<', '>', '/', '&', ';', '#', 'x', '-', ','],
  ...['&amp;', '&lt;', '&#64;', '&#x41;', '&eacute;', '&nbsp;', '&shy;', '&#8203;', '&#10;', '&bogus;', '&#'],
  ...['<b>', '</b>', '<i class=x>', '<wbr>', '<wbr/>', '<span>', '</span>', '<a>', '</a>', '<p>', '</td>'],
  ...[
    '<b class="y">',
    '<b id=z>',
    '<sup>',
    '\u00ad',
    '\u200b',
    '<b\n>',
    '</',
    '<spa',
    'n>',
    '<em',
    '<strong',
  ],
);
const content = fc.array(piece, { maxLength: 60, size: 'max' }).map((pieces) => Buffer.from(pieces.join('')));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
const format = fc.constantFrom('html' as const, 'xml' as const);

it('rewriting equals the reference in text and offsets, for any chunking, with and without SIMD', () => {
  fc.assert(
    fc.property(content, sizes, format, (bytes, cuts, kind) => {
      const expected = straightforward(bytes, kind);
      expect(rewritten(bytes, kind, [bytes.length + 1], markupFinder()).text).toBe(expected.text);
      expect(rewritten(bytes, kind, cuts, markupFinder())).toEqual(expected);
      expect(rewritten(bytes, kind, cuts, new ScalarMarkupFinder())).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
});

it('rewriting of a long text is the same at the borders of its blocks', () => {
  const unit = Buffer.from(
    'some words 12<b>34</b>56 &amp; a&shy;b &eacute;<wbr>x <span class="k">y</span>z\u200bw ',
  );
  for (const shift of [0, 1, 14, 33, 52]) {
    const bytes = Buffer.concat([Buffer.alloc(shift, 'x'), ...Array<Buffer>(1600).fill(unit)]);
    const expected = straightforward(bytes, 'html');
    expect(rewritten(bytes, 'html', [bytes.length], markupFinder()).text).toBe(expected.text);
    expect(rewritten(bytes, 'html', [65_537, 9999], markupFinder())).toEqual(expected);
  }
});

it('rewriting of any bytes in a text of one byte a character depends on them alone', () => {
  const any = fc
    .array(
      fc.oneof(
        fc.nat(255).map((byte) => Buffer.of(byte)),
        piece.map((text) => Buffer.from(text, 'latin1')),
      ),
      {
        maxLength: 60,
        size: 'max',
      },
    )
    .map((chunks) => Buffer.concat(chunks));
  fc.assert(
    fc.property(any, sizes, format, (bytes, cuts, kind) => {
      const whole = rewritten(bytes, kind, [bytes.length + 1], markupFinder(), 'latin1');
      expect(rewritten(bytes, kind, cuts, new ScalarMarkupFinder(), 'latin1')).toEqual(whole);
      expect(whole.text.length).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 1000 },
  );
});
