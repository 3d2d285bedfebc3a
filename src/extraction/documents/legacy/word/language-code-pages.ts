const WESTERN = 1252;
const CHINESE = 0x04;
const SERBIAN = 0x1a;

/** The code pages that Windows has for languages, by the lower ten bits of the language's number. */
const PAGES: Readonly<Record<number, number>> = {
  1: 1256, // Arabic
  2: 1251, // Bulgarian
  5: 1250, // Czech
  8: 1253, // Greek
  13: 1255, // Hebrew
  14: 1250, // Hungarian
  17: 932, // Japanese
  18: 949, // Korean
  21: 1250, // Polish
  24: 1250, // Romanian
  25: 1251, // Russian
  26: 1250, // Croatian
  27: 1250, // Slovak
  28: 1250, // Albanian
  30: 874, // Thai
  31: 1254, // Turkish
  32: 1256, // Urdu
  34: 1251, // Ukrainian
  35: 1251, // Belarusian
  36: 1250, // Slovenian
  37: 1257, // Estonian
  38: 1257, // Latvian
  39: 1257, // Lithuanian
  41: 1256, // Persian
  42: 1258, // Vietnamese
  47: 1251, // Macedonian
};

/** Written in two scripts; the country code distinguishes them. */
const CYRILLIC_SERBIAN = 0x0c1a;
const SIMPLIFIED_CHINESE = [0x0804, 0x1004];

export function pageOfLanguage(language: number): number {
  const main = language & 0x3ff;
  if (main === CHINESE) return SIMPLIFIED_CHINESE.includes(language) ? 936 : 950;
  if (main === SERBIAN && language === CYRILLIC_SERBIAN) return 1251;
  return PAGES[main] ?? WESTERN;
}
