/** How Cyrillic and Greek names are usually written in Latin letters; a name in another script stays as it is. */
const CYRILLIC: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'yo', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k' },
  ...{ л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts' },
  ...{
    ч: 'ch',
    ш: 'sh',
    щ: 'shch',
    ъ: '',
    ы: 'y',
    ь: '',
    э: 'e',
    ю: 'yu',
    я: 'ya',
    і: 'i',
    ї: 'yi',
    є: 'ye',
  },
  ...{ ґ: 'g', ј: 'j', љ: 'lj', њ: 'nj', џ: 'dzh', ѓ: 'gj', ќ: 'kj', ѕ: 'dz', ћ: 'c', ђ: 'dj' },
};
const GREEK: Readonly<Record<string, string>> = {
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm' },
  ...{
    ν: 'n',
    ξ: 'x',
    ο: 'o',
    π: 'p',
    ρ: 'r',
    σ: 's',
    ς: 's',
    τ: 't',
    υ: 'y',
    φ: 'f',
    χ: 'ch',
    ψ: 'ps',
    ω: 'o',
  },
};
const LETTERS = { ...CYRILLIC, ...GREEK };

export function toLatin(name: string): string {
  if (!/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name)) return name;
  const letters = name
    .toLowerCase()
    .normalize('NFC')
    .replace(/[άέήίόύώϊϋΐΰ]/g, (letter) => letter.normalize('NFD')[0]!);
  const latin = [...letters].map((letter) => LETTERS[letter] ?? letter).join('');
  return latin.replace('oy', 'ou').replace(/iy$/, 'y');
}
