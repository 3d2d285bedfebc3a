import type { FontGlyph, PdfFont } from '../pdfjs/library-internals.ts';

export const DRAWN = 0;
export const WHITE = 1;
/** Zero width: drawn over the previous character. */
export const OVER = 2;
export const INVISIBLE = 3;

export interface Glyph {
  readonly kind: typeof DRAWN | typeof WHITE | typeof OVER | typeof INVISIBLE;
  readonly text: string;
  /** For a font of size 1. */
  readonly width: number;
  readonly isSpace: boolean;
}

const PLAIN = [0.001, 0, 0, 0.001, 0, 0];
const known = new WeakMap<PdfFont, FontGlyphs>();

export function glyphsOf(font: PdfFont): FontGlyphs {
  const glyphs = known.get(font) ?? new FontGlyphs(font);
  known.set(font, glyphs);
  return glyphs;
}

/** The glyphs of a font, with a cache. */
export class FontGlyphs {
  readonly font: PdfFont;
  readonly unit: number;
  /** How high its characters are, for a size of 1. */
  readonly #height: number;
  readonly #isTiny: boolean;
  readonly #glyphs = new Map<FontGlyph, Glyph>();
  readonly #byCode: (Glyph | undefined)[] = Array(256).fill(undefined);

  constructor(font: PdfFont) {
    const matrix = font.fontMatrix ?? PLAIN;
    this.font = font;
    this.unit = matrix[0]!;
    const [, low = 0, , high = 0] = font.bbox ?? [];
    const isScaled = font.isType3Font === true && matrix.some((value, i) => value !== PLAIN[i]);
    this.#height = isScaled && high - low > 0 ? (high - low) * matrix[3]! : 1;
    this.#isTiny = font.isCharBBox !== true;
  }

  /** As high as characters of this size are. */
  heightAt(size: number): number {
    return this.#isTiny && size > 1 ? size : size * this.#height;
  }

  of(codes: string): readonly Glyph[] {
    if (this.font.cMap || this.font._charToGlyph === undefined) {
      return this.font.charsToGlyphs(codes).map((glyph) => this.#glyph(glyph));
    }
    const glyphs = new Array<Glyph>(codes.length);
    for (let i = 0; i < codes.length; i++) {
      const code = codes.charCodeAt(i);
      glyphs[i] = this.#byCode[code] ?? this.#single(code);
    }
    return glyphs;
  }

  #single(code: number): Glyph {
    const glyph = this.#glyph(this.font._charToGlyph!(code, code === 0x20));
    if (code < 256) this.#byCode[code] = glyph;
    return glyph;
  }

  #glyph(glyph: FontGlyph): Glyph {
    const seen = this.#glyphs.get(glyph);
    if (seen !== undefined) return seen;
    const { unicode: text, width, category, originalCharCode } = glyph;
    const kind = category.isInvisibleFormatMark
      ? INVISIBLE
      : category.isWhitespace
        ? WHITE
        : category.isZeroWidthDiacritic
          ? OVER
          : DRAWN;
    const one: Glyph = { kind, text, width, isSpace: originalCharCode === 0x20 };
    this.#glyphs.set(glyph, one);
    return one;
  }
}
