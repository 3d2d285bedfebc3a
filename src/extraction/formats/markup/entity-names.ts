/** Names of characters in markup: all of HTML 4, the punctuation and the letters of Europe of HTML 5. XML has five. */

/** U+00A0 and what follows it. */
const LATIN1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';

/** U+0391 and the following, and U+03B1; a dash is a code without a name. */
const CAPITALS =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi ' +
  'Psi Omega';
const SMALL =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi ' +
  'chi psi omega';

const XML = 'amp& lt< gt> quot" apos\'';
const OTHERS =
  'commat@ period. comma, colon: semi; num# plus+ equals= sol/ bsol\\ lowbar_ hyphen\u2010 dash\u2010 lpar( rpar) lsqb[ rsqb] ' +
  'lbrack[ rbrack] lcub{ rcub} excl! quest? ast* percnt% dollar$ verbar| vert| grave` Hat^ Tab\t ' +
  'OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161 Yuml\u0178 fnof\u0192 circ\u02c6 tilde\u02dc thetasym\u03d1 upsih\u03d2 piv\u03d6 ' +
  'ensp\u2002 emsp\u2003 numsp\u2007 puncsp\u2008 thinsp\u2009 hairsp\u200a zwnj\u200c zwj\u200d lrm\u200e rlm\u200f ndash\u2013 mdash\u2014 horbar\u2015 ' +
  'lsquo\u2018 rsquo\u2019 sbquo\u201a ldquo\u201c rdquo\u201d bdquo\u201e dagger\u2020 Dagger\u2021 bull\u2022 hellip\u2026 permil\u2030 prime\u2032 Prime\u2033 ' +
  'lsaquo\u2039 rsaquo\u203a oline\u203e frasl\u2044 euro\u20ac image\u2111 weierp\u2118 real\u211c trade\u2122 alefsym\u2135 ' +
  'larr\u2190 uarr\u2191 rarr\u2192 darr\u2193 harr\u2194 crarr\u21b5 lArr\u21d0 uArr\u21d1 rArr\u21d2 dArr\u21d3 hArr\u21d4 ' +
  'forall\u2200 part\u2202 exist\u2203 empty\u2205 nabla\u2207 isin\u2208 notin\u2209 ni\u220b prod\u220f sum\u2211 minus\u2212 lowast\u2217 radic\u221a ' +
  'prop\u221d infin\u221e ang\u2220 and\u2227 or\u2228 cap\u2229 cup\u222a int\u222b there4\u2234 sim\u223c cong\u2245 asymp\u2248 ne\u2260 equiv\u2261 le\u2264 ge\u2265 ' +
  'sub\u2282 sup\u2283 nsub\u2284 sube\u2286 supe\u2287 oplus\u2295 otimes\u2297 perp\u22a5 sdot\u22c5 ' +
  'lceil\u2308 rceil\u2309 lfloor\u230a rfloor\u230b lang\u27e8 rang\u27e9 loz\u25ca spades\u2660 clubs\u2663 hearts\u2665 diams\u2666 ' +
  'inodot\u0131 imath\u0131 Abreve\u0102 abreve\u0103 Aogon\u0104 aogon\u0105 Cacute\u0106 cacute\u0107 Ccaron\u010c ccaron\u010d Dcaron\u010e dcaron\u010f ' +
  'Dstrok\u0110 dstrok\u0111 Ecaron\u011a ecaron\u011b Eogon\u0118 eogon\u0119 Gbreve\u011e gbreve\u011f Idot\u0130 Lstrok\u0141 lstrok\u0142 Nacute\u0143 nacute\u0144 ' +
  'Ncaron\u0147 ncaron\u0148 Odblac\u0150 odblac\u0151 Rcaron\u0158 rcaron\u0159 Sacute\u015a sacute\u015b Scedil\u015e scedil\u015f Tcaron\u0164 tcaron\u0165 ' +
  'Udblac\u0170 udblac\u0171 Uring\u016e uring\u016f Zacute\u0179 zacute\u017a Zcaron\u017d zcaron\u017e Zdot\u017b zdot\u017c ' +
  'check\u2713 star\u2606 starf\u2605 phone\u260e numero\u2116';

/** A name and its code. */
export type Named = readonly [name: string, code: number];

export const XML_NAMES: readonly Named[] = listed(XML);
export const HTML_NAMES: readonly Named[] = [
  ...XML_NAMES,
  ...listed(OTHERS),
  ...inOrder(LATIN1, 0xa0),
  ...inOrder(CAPITALS, 0x391),
  ...inOrder(SMALL, 0x3b1),
];

/** Each name is followed by its character. */
function listed(list: string): Named[] {
  return list.split(' ').map((entry) => [entry.slice(0, -1), entry.charCodeAt(entry.length - 1)]);
}

function inOrder(list: string, first: number): Named[] {
  const names = list.split(' ').map((name, n): Named => [name, first + n]);
  return names.filter(([name]) => name !== '-');
}
