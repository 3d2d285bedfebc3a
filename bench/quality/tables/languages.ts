/** What differs between the countries of the generated tables. */
import type { Faker } from '@faker-js/faker';
import { faker as cs } from '@faker-js/faker/locale/cs_CZ';
import { faker as de } from '@faker-js/faker/locale/de';
import { faker as en } from '@faker-js/faker/locale/en';
import { faker as es } from '@faker-js/faker/locale/es';
import { faker as fr } from '@faker-js/faker/locale/fr';
import { faker as it } from '@faker-js/faker/locale/it';
import { faker as ja } from '@faker-js/faker/locale/ja';
import { faker as nl } from '@faker-js/faker/locale/nl';
import { faker as pl } from '@faker-js/faker/locale/pl';
import { faker as pt } from '@faker-js/faker/locale/pt_PT';
import { faker as sv } from '@faker-js/faker/locale/sv';
import { faker as tr } from '@faker-js/faker/locale/tr';

export interface Language {
  readonly code: string;
  readonly faker: Faker;
  /** `#` is a digit, `^` one from 2 to 9. */
  readonly phones: readonly string[];
  readonly postalCode: string;
  /** y, m and d of a date. */
  readonly date: string;
  readonly ibanCountry: string;
  /** Of old programs: Latin-1 where it has all letters. */
  readonly oldEncoding: 'latin1' | 'utf16le';
  readonly money: (amount: number) => string;
  /** Real names that the name lists of the generator's library do not have: detection uses the same lists. */
  readonly rareFirst: readonly string[];
  readonly rareLast: readonly string[];
  /** A remark without personal data. */
  readonly remark: string;
}

const point = (amount: number) => `${amount.toLocaleString('de-DE')},00`;
const comma = (amount: number) => `${amount.toLocaleString('en-US')}.00`;
const space = (amount: number) => `${String(amount).replace(/\B(?=(\d{3})+$)/g, ' ')},00`;

export const LANGUAGE_DATA: readonly Language[] = [
  {
    ...{
      code: 'en',
      faker: en,
      phones: ['(415) ^##-####', '212-^##-####', '+1 312 ^## ####'],
      postalCode: '9####',
    },
    ...{ date: 'm/d/y', ibanCountry: 'GB', oldEncoding: 'latin1', money: comma },
    rareFirst: ['Thaddea', 'Corwyn', 'Ellery', 'Oberon', 'Tamsyn', 'Peregrine'],
    rareLast: [
      'Quisenberry',
      'Featherstonehaugh',
      'Throckmorton',
      'Yarborough-Pryce',
      'Okonjo',
      'Szczerbiak',
    ],
    remark: 'Packaging damaged, replacement sent from the warehouse.',
  },
  {
    ...{
      code: 'de',
      faker: de,
      phones: ['030 ^#######', '+49 170 ^######', '0171/^######'],
      postalCode: '8####',
    },
    ...{ date: 'd.m.y', ibanCountry: 'DE', oldEncoding: 'latin1', money: point },
    rareFirst: ['Wunibald', 'Kreszentia', 'Tassilo', 'Burghild', 'Ottokar', 'Notburga'],
    rareLast: ['Hinterseer', 'Oberniedermayr', 'Zwickenpflug', 'Schlammerl', 'Tschentscher', 'Kuddelmann'],
    remark: 'Verpackung beschädigt, Ersatz ab Lager geliefert.',
  },
  {
    ...{
      code: 'fr',
      faker: fr,
      phones: ['01 4# ## ## ##', '+33 6 1# ## ## ##', '06.2#.##.##.##'],
      postalCode: '75###',
    },
    ...{ date: 'd/m/y', ibanCountry: 'FR', oldEncoding: 'latin1', money: space },
    rareFirst: ['Philomène', 'Enguerrand', 'Solveige', 'Théodule', 'Ysaline', 'Gwénola'],
    rareLast: ['Quesnel-Lavoie', 'Troadec', 'Le Goffic', 'Beauvillier', 'Kerdraon', 'Chastanier'],
    remark: 'Emballage abîmé, remplacement expédié depuis le dépôt.',
  },
  {
    ...{
      code: 'es',
      faker: es,
      phones: ['91 ^## ## ##', '+34 6## ### ###', '6## ## ## ##'],
      postalCode: '280##',
    },
    ...{ date: 'd/m/y', ibanCountry: 'ES', oldEncoding: 'latin1', money: point },
    rareFirst: ['Nemesia', 'Saturnino', 'Urraca', 'Eleuterio', 'Begoñe', 'Prudencia'],
    rareLast: ['Goikoetxea', 'Zubizarreta', 'Berrocal', 'Aizpurua', 'Cifuentes', 'Valdivieso'],
    remark: 'Embalaje dañado, reposición enviada desde el almacén.',
  },
  {
    ...{
      code: 'it',
      faker: it,
      phones: ['02 ^#######', '+39 347 ^######', '338 ^######'],
      postalCode: '201##',
    },
    ...{ date: 'd/m/y', ibanCountry: 'IT', oldEncoding: 'latin1', money: point },
    rareFirst: ['Ermenegilda', 'Torquato', 'Crocifissa', 'Ildegarda', 'Pancrazio', 'Zeffirino'],
    rareLast: ['Brambillasca', 'Pecoraro', 'Scognamiglio', 'Zanardelli', 'Quattrocchi', 'Cazzaniga'],
    remark: 'Imballaggio danneggiato, sostituzione spedita dal magazzino.',
  },
  {
    ...{
      code: 'pt',
      faker: pt,
      phones: ['21 ^## ## ##', '+351 91# ### ###', '96# ### ###'],
      postalCode: '1###-###',
    },
    ...{ date: 'd-m-y', ibanCountry: 'PT', oldEncoding: 'latin1', money: space },
    rareFirst: ['Felisberta', 'Deolinda', 'Custódio', 'Hermengarda', 'Zeferino', 'Quitéria'],
    rareLast: ['Bettencourt', 'Mascarenhas', 'Quintanilha', 'Sarmento', 'Vasconcelos', 'Noronha'],
    remark: 'Embalagem danificada, substituição enviada do armazém.',
  },
  {
    ...{
      code: 'nl',
      faker: nl,
      phones: ['020-^######', '+31 6 1#######', '06-2#######'],
      postalCode: '1### AB',
    },
    ...{ date: 'd-m-y', ibanCountry: 'NL', oldEncoding: 'latin1', money: point },
    rareFirst: ['Gijsbertha', 'Wubbo', 'Teuntje', 'Hyltje', 'Sjoukje', 'Ruurd'],
    rareLast: [
      'van Ouwerkerk',
      'Schimmelpenninck',
      'Hoogendoorn',
      'Nijenhuis',
      'Zijlstra-Prins',
      'Dijksterhuis',
    ],
    remark: 'Verpakking beschadigd, vervanging verzonden uit magazijn.',
  },
  {
    ...{
      code: 'pl',
      faker: pl,
      phones: ['22 ^## ## ##', '+48 60# ### ###', '51# ### ###'],
      postalCode: '02-###',
    },
    ...{ date: 'd.m.y', ibanCountry: 'PL', oldEncoding: 'utf16le', money: space },
    rareFirst: ['Zdzimir', 'Dobrogniewa', 'Świętopełk', 'Bożydara', 'Wszebor', 'Mścisław'],
    rareLast: ['Brzęczyszczykiewicz', 'Gżegżółka', 'Niedźwiedzki', 'Źrebiec', 'Pstrągowska', 'Trzebiatowski'],
    remark: 'Opakowanie uszkodzone, zamiennik wysłano z magazynu.',
  },
  {
    ...{
      code: 'cs',
      faker: cs,
      phones: ['2## ### ###', '+420 60# ### ###', '77# ### ###'],
      postalCode: '1## 00',
    },
    ...{ date: 'd.m.y', ibanCountry: 'CZ', oldEncoding: 'utf16le', money: space },
    rareFirst: ['Zbyhněv', 'Svatava', 'Dobroslava', 'Břetislava', 'Ctirada', 'Chrudoš'],
    rareLast: ['Nejezchleba', 'Skočdopole', 'Vyskočilová', 'Osolsobě', 'Drahokoupil', 'Přecechtěl'],
    remark: 'Obal poškozen, náhrada odeslána ze skladu.',
  },
  {
    ...{
      code: 'sv',
      faker: sv,
      phones: ['08-^## ## ##', '+46 70 ^## ## ##', '070-^## ## ##'],
      postalCode: '11# ##',
    },
    ...{ date: 'y-m-d', ibanCountry: 'SE', oldEncoding: 'latin1', money: space },
    rareFirst: ['Torgny', 'Hillevi', 'Ragnhild', 'Sixten', 'Öjvind', 'Gunvor'],
    rareLast: ['Hammarskjöld', 'Gyllenspetz', 'Liljefors', 'Silfverberg', 'Trägårdh', 'Ehrensvärd'],
    remark: 'Emballaget skadat, ersättning skickad från lagret.',
  },
  {
    ...{
      code: 'tr',
      faker: tr,
      phones: ['0212 ^## ## ##', '+90 532 ^## ## ##', '0541 ^## ## ##'],
      postalCode: '34###',
    },
    ...{ date: 'd.m.y', ibanCountry: 'TR', oldEncoding: 'utf16le', money: point },
    rareFirst: ['Gülendam', 'Şehsuvar', 'Tezcan', 'Hatçe', 'Çağrıhan', 'Ümmühan'],
    rareLast: ['Karaosmanoğlu', 'Yağcıbaşı', 'Dağdeviren', 'Kuzgunbay', 'Üçbaşaran', 'Sipahioğlu'],
    remark: 'Ambalaj hasarlı, yenisi depodan gönderildi.',
  },
  {
    ...{
      code: 'ja',
      faker: ja,
      phones: ['03-^###-####', '+81 90 ^### ####', '080-^###-####'],
      postalCode: '1##-####',
    },
    ...{ date: 'y/m/d', ibanCountry: 'DE', oldEncoding: 'utf16le', money: comma },
    rareFirst: ['蒼士朗', '千紗都', '琥太郎', '綾目', '凪沙', '伊織'],
    rareLast: ['勅使河原', '小鳥遊', '長曽我部', '四月朔日', '百目鬼', '東海林'],
    remark: '梱包が破損したため、倉庫から代替品を発送しました。',
  },
];
