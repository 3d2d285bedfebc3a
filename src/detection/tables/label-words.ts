/**
 * What the columns of personal data are called, in twelve languages and in the names that programs use. One entry per kind and language;
 * alternatives are separated by `|`. `*` stands for the rest of a word: `*nummer` matches compounds, `telefon*` endings. `=` requires that
 * the label is the whole name, because it is too short or too common to be looked for inside of one. `?` after `=` marks a label that
 * other things have as well, so that the values must support it. Written as people write them; case, accents and separators do not
 * matter.
 */

/** ISO 639; `any`: in databases and programs, whatever the language. */
export type LabelLanguage =
  | 'any'
  | 'en'
  | 'de'
  | 'fr'
  | 'es'
  | 'it'
  | 'pt'
  | 'nl'
  | 'pl'
  | 'cs'
  | 'sv'
  | 'tr'
  | 'ja';

export type LabelKind =
  | 'email'
  | 'ip'
  | 'password'
  | 'user_name'
  | 'iban'
  | 'card'
  | 'passport'
  | 'driver_license'
  | 'national_id'
  | 'birth_part'
  | 'birth_date'
  | 'postal_code'
  | 'salary'
  | 'phone'
  | 'other'
  | 'person_name'
  | 'address';

type LabelWords = Readonly<Partial<Record<LabelLanguage, string>>>;

/** In order of precedence: "Adresse e-mail" is no postal address, "Nom d'utilisateur" no name of a person. */
export const LABEL_WORDS: Readonly<Record<LabelKind, LabelWords>> = {
  email: {
    any: 'email*|e mail*|*mail|mailaddress|=mail addr|mailadres*',
    en: 'mail address',
    de: '*mailadresse',
    fr: 'courriel|mél',
    es: 'correo|correo electrónico',
    it: 'posta elettronica',
    pt: 'correio eletrónico|correio eletrônico',
    nl: '*mailadres',
    pl: 'poczta elektroniczna|adres e mail',
    cs: 'elektronická pošta|emailov*|e mailov*',
    sv: 'e post|epost|e postadress|epostadress|mejl|mejladress',
    tr: 'e posta|eposta',
    ja: 'メール',
  },
  ip: { any: 'ip|ip addr|*ipaddress|ipv4|ipv6', ja: 'IPアドレス' },
  password: {
    any: 'passw*|*password|pwd|passwd|=pass|=pw|user pass',
    en: 'password|passphrase|passcode',
    de: '*passwort|*kennwort',
    fr: 'mot de passe|=mdp',
    es: 'contraseña|=clave|clave de acceso',
    it: 'parola chiave|parola d ordine|password',
    pt: 'palavra passe|senha',
    nl: '*wachtwoord|=ww',
    pl: 'hasło',
    cs: '*heslo',
    sv: 'lösenord|=lösen',
    tr: 'şifre*|parola',
    ja: 'パスワード|暗証',
  },
  user_name: {
    any: 'user name|username|userid|=usr|=login|login name|loginname|screen name|=uname|user login',
    en: 'account name|sign in name|=user id',
    de: 'Benutzername|Benutzerkennung|Anmeldename|Nutzername|=Benutzer|Kennung',
    fr: 'nom d utilisateur|=identifiant|pseudo|utilisateur',
    es: 'nombre de usuario|usuario',
    it: 'nome utente|=utente',
    pt: 'nome de utilizador|nome de usuário|utilizador|=usuário',
    nl: 'gebruikersnaam|inlognaam|=gebruiker',
    pl: 'nazwa użytkownika|=użytkownik|login',
    cs: 'uživatelské jméno|přihlašovací jméno|=uživatel',
    sv: 'användarnamn|=användare|inloggning|inloggningsnamn',
    tr: 'kullanıcı adı|=kullanıcı|giriş adı',
    ja: 'ユーザー名|ユーザ名|ログインID|ユーザID|ユーザーID',
  },
  iban: {
    any: 'iban',
    en: 'bank account|account number|account no',
    de: 'Bankverbindung|Kontonummer|Kontonr|Bankkonto',
    fr: 'compte bancaire|RIB|numéro de compte',
    es: 'cuenta bancaria|número de cuenta',
    it: 'conto corrente|coordinate bancarie|numero di conto',
    pt: 'conta bancária|número da conta',
    nl: 'bankrekening*|rekeningnummer',
    pl: 'numer konta|nr konta|rachunek bankowy|numer rachunku|nr rachunku',
    cs: 'číslo účtu|bankovní účet',
    sv: 'bankkonto*|kontonummer|kontonr',
    tr: 'banka hesabı|hesap numarası|hesap no',
    ja: '銀行口座|口座番号',
  },
  card: {
    any: 'credit card*|creditcard*|cc num*|ccnum*|cc no|card num|cardnum*|card no|=pan',
    en: 'card number|payment card*|debit card*',
    de: '*kreditkarte|*kartennummer|Kartennr|Kreditkarten*',
    fr: 'numéro de carte|carte bancaire|carte de crédit|n° de carte|n° carte',
    es: 'número de tarjeta|tarjeta de crédito|tarjeta|n.º tarjeta',
    it: 'numero carta|numero della carta|carta di credito|n. carta',
    pt: 'número do cartão|cartão de crédito|cartão',
    nl: 'kaartnummer|creditcardnummer|kaartnr',
    pl: 'numer karty|karta kredytowa|nr karty|karta płatnicza',
    cs: 'číslo karty|platební karta|kreditní karta',
    sv: 'kortnummer|kreditkort|betalkort|kortnr',
    tr: 'kart numarası|kredi kartı|kart no',
    ja: 'カード番号|クレジットカード',
  },
  passport: {
    any: 'passport*|passeport|pasaporte|passaporto|passaporte|paspoort*|paszport*|cestovní pas|číslo pasu|reisepass*|passnummer|pasaport*|パスポート|旅券',
  },
  driver_license: {
    any: 'driver* licen*|driving licen*|drivers lic|führerschein*|permis de conduire|permiso de conducir|carnet de conducir|licencia de conducir|patente di guida|carta de condução|carteira de motorista|rijbewijs*|prawo jazdy|prawa jazdy|řidičský průkaz|řidičského průkazu|körkort*|ehliyet*|sürücü belgesi|運転免許*',
  },
  national_id: {
    any: 'nat id|natid|national id*|tax id|=tin|ssn*|social sec*',
    en: 'social security*|national insurance*|identity number|identity card*|id card number',
    de: 'Steuer ID*|Steueridentifikationsnummer|Steuernummer|IdNr|Sozialversicherungsnummer|Personalausweis*|Ausweisnummer',
    fr: 'sécurité sociale|NIR|sécu|numéro fiscal|carte d identité',
    es: 'DNI|NIE|NIF|documento de identidad|número de identidad',
    it: 'codice fiscale|cod fiscale|=C.F.|carta d identità',
    pt: 'NIF|contribuinte|CPF|bilhete de identidade|cartão de cidadão|número de identificação',
    nl: 'BSN|burgerservicenummer|sofinummer',
    pl: 'PESEL|dowód osobisty|NIP',
    cs: 'rodné číslo|=RČ|rod číslo|číslo občanského průkazu',
    sv: 'personnummer|personnr|=pnr|samordningsnummer',
    tr: 'TC kimlik*|kimlik no|kimlik numarası|T.C. kimlik*|TCKN',
    ja: 'マイナンバー|個人番号',
  },
  birth_date: {
    any: 'dob|birth date|birthdate|birth dt|bdate|bday|date of birth|dateofbirth',
    en: 'birthday|born|=birth|born on',
    de: 'Geburtsdatum|Geburtstag|Geb Datum|=geboren|geboren am|geb am|=Geb.|Geburtsdat',
    fr: 'date de naissance|né e le|né le|née le|=naissance|date naiss*',
    es: 'fecha de nacimiento|f nacimiento|=nacimiento|fecha nac*|fec nac*|nacido*',
    it: 'data di nascita|nato il|nata il|nato a il|=nascita|data nascita',
    pt: 'data de nascimento|=nascimento|data nasc*|dt nasc*|nascido*',
    nl: 'geboortedatum|geb datum|=geboren|geboortedag',
    pl: 'data urodzenia|urodzony|urodzona|data ur|ur',
    cs: 'datum narození|narozen|narozena|dat nar|datum nar',
    sv: 'födelsedatum|född|födelsedag|födelsedat',
    tr: 'doğum tarihi|doğum günü|d tarihi|=doğum',
    ja: '生年月日|誕生日|生まれ',
  },
  /** The year, month or day of birth alone. */
  birth_part: {
    any: 'birth year|birthyear|yob|year of birth|birth month|birthmonth|month of birth|birth day|day of birth',
    de: 'Geburtsjahr|Geburtsmonat',
    fr: 'année de naissance|mois de naissance',
    es: 'año de nacimiento|mes de nacimiento',
    it: 'anno di nascita|mese di nascita',
    pt: 'ano de nascimento|mês de nascimento',
    nl: 'geboortejaar|geboortemaand',
    pl: 'rok urodzenia|miesiąc urodzenia',
    cs: 'rok narození|měsíc narození',
    sv: 'födelseår|födelsemånad',
    tr: 'doğum yılı|doğum ayı',
    ja: '=生年|誕生年|生まれ年',
  },
  postal_code: {
    any: 'zip|zipcode|zip code|postal code|postcode*|post code|postalcode|=postal',
    en: 'zip plus 4|zip5',
    de: 'PLZ|Postleitzahl',
    fr: 'code postal|=?CP',
    es: 'código postal|cód postal|=?C.P.|=?CP',
    it: '=CAP|codice postale|=?C.A.P.|codice di avviamento postale',
    pt: 'código postal|cód postal|=CEP|=?CP',
    nl: 'postcode*|=?PC',
    pl: 'kod pocztowy|=?kod|kod poczt',
    cs: 'PSČ|poštovní směrovací číslo|směrovací číslo',
    sv: 'postnummer|postnr|post nr',
    tr: 'posta kodu|posta kod|=?PK',
    ja: '郵便|〒',
  },
  salary: {
    any: 'salary*|=sal|base pay|gross pay|net pay|annual pay|hourly rate|hourly wage|wage*',
    en: 'annual salary|annual income|compensation|remuneration',
    de: '*gehalt|*lohn|Jahresverdienst|Vergütung',
    fr: 'salaire*|rémunération|traitement annuel',
    es: 'salario*|sueldo*|remuneración',
    it: 'stipendio*|retribuzione|salario|=RAL',
    pt: 'salário*|vencimento|ordenado|remuneração',
    nl: '*salaris|*loon|jaarloon',
    pl: 'wynagrodzeni*|pensja|płaca|zarobki',
    cs: 'mzda|plat|hrubá mzda|čistá mzda',
    sv: '*lön',
    tr: 'maaş*|ücret|gelir',
    ja: '給与|年収|月給|給料|年俸',
  },
  phone: {
    any: 'tel|telnr|telno|phone*|*phone|telephone*|mobile*|cell|cell phone|cellphone|fax*|msisdn',
    en: 'phone number|telephone number|mobile number|cell number|contact number',
    de: 'Telefon*|*telefon|*telefonnummer|*handy*|*rufnummer|Mobil|Mobilnummer|Mobiltelefon',
    fr: 'téléphone*|portable|tél|numéro de tél*|mobile',
    es: 'teléfono*|móvil|celular|tfno|tlf',
    it: 'telefono*|cellulare|numero di cellulare|cell',
    pt: 'telefone*|telemóvel|celular|telem',
    nl: 'telefoon*|*telefoonnummer|mobiel*|gsm',
    pl: 'telefon*|numer telefonu|komórka|komórkow*|nr tel',
    cs: 'telefon*|mobil|mobilní',
    sv: 'telefon*|mobilnummer|mobil|mobiltelefon|*telefonnummer',
    tr: 'telefon*|cep telefonu|=cep|gsm|telefon numarası',
    ja: '電話|携帯',
  },
  /** Columns whose values are often taken for something else. */
  other: {
    any: '=prod|*product*|*sku|=slug|=uuid|*artikel*|*articolo|*articulo',
    en: 'product|item|items|article|order number|order no|order id|invoice number|invoice no|city|town|state|country|county|province|region|nationality|company|organization|organisation|employer|business name|file name|host name|domain name|class name|table name|column name|bucket name|event name|project name|team|model|brand|status|category|description|department|title|job title|position|place of birth|birth place|birth city|birth country|birth state|country of birth|city of birth|gender|sex|web address|mac address|bank name|street number|house number|=address type|=name id|currency',
    de: 'Produkt|Produktname|*artikel|Artikel*|Ort|Wohnort|Stadt|Land|Firma|Firmenname|Unternehmen|Bestellnummer|Auftragsnummer|Geburtsort|Geburtsland|Dateiname|Bundesland',
    fr: 'Produit|Article|Ville|Commune|Pays|Entreprise|Société|Numéro de commande|N° commande|Lieu de naissance|Nom du fichier|Nom du produit',
    es: 'Producto|Artículo|Ciudad|Población|País|Empresa|Número de pedido|N.º pedido|Lugar de nacimiento|Nombre del producto|Nombre de archivo',
    it: 'Prodotto|Articolo|Città|Comune|Paese|Azienda|Numero ordine|N. ordine|Luogo di nascita|Nome prodotto|Nome file',
    pt: 'Produto|Artigo|Cidade|Localidade|País|Empresa|Número da encomenda|N.º encomenda|Local de nascimento|Nome do produto|Nome do arquivo',
    nl: 'Product|Productnaam|Artikel|Plaats|Woonplaats|Land|Bedrijf|Bedrijfsnaam|Ordernummer|Bestelnummer|Geboorteplaats|Bestandsnaam',
    pl: 'Produkt|Nazwa produktu|Towar|Miasto|Miejscowość|Kraj|Firma|Numer zamówienia|Nr zamówienia|Miejsce urodzenia|Nazwa pliku|Nazwa firmy',
    cs: 'Produkt|Název|Zboží|Město|Obec|Země|Firma|Číslo objednávky|Č. objednávky|Místo narození|Název souboru',
    sv: 'Produkt|Produktnamn|Artikel|Ort|Stad|Land|Företag|Företagsnamn|Ordernummer|Beställningsnr|Födelseort|Filnamn',
    tr: 'Ürün|Ürün adı|Mal|Şehir|=İl|İlçe|Ülke|Şirket|Firma|Sipariş numarası|Sipariş no|Doğum yeri|Dosya adı',
    ja: '商品|品名|市区町村|都市|国名|会社|企業|注文番号|受注番号|出生地|ファイル名|商品名',
  },
  person_name: {
    any: 'fname|lname|mname|first nm|last nm|full nm|fullname|firstname|lastname|=fn|=ln|=?name|name first|name last|name given|=?nm|middlename',
    en: 'first name*|last name*|given name*|forename|surname|family name|middle name*|full name|maiden name|display name|nick name|nickname|legal name|preferred name|employee name|patient name|student name|member name|contact name|guardian name|holder name|cardholder name|card holder|cardholder|author name|recipient name|sender name|purchased by|=?customer|=?customer name|=?client name|=?client|=?employee|=?patient|=?contact person',
    de: 'Vorname*|Nachname*|Familienname|Zuname|Rufname|Geburtsname|Mädchenname|vollständiger Name|=?Kundenname|=?Kunde|=?Ansprechpartner|Mitarbeitername|Name Mitarbeiter|Karteninhaber|Kontoinhaber',
    fr: 'prénom*|nom de famille|nom patronymique|nom complet|nom et prénom*|nom de naissance|=?nom|=?nom du client|nom d usage|titulaire',
    es: 'nombre de pila|nombre completo|nombre y apellido*|apellido*|primer apellido|segundo apellido|primer nombre|=?nombre|=?nombres|=?cliente|=?nombre del cliente|=?titular',
    it: 'cognome*|nome di battesimo|primo nome|nome e cognome|cognome e nome|nome completo|nominativo|=?nome|=?cliente|=?intestatario',
    pt: 'nome próprio|primeiro nome|apelido|sobrenome|último nome|nome completo|nome e apelido|=?nome|=?nome do cliente|=?cliente|=?titular',
    nl: 'voornaam|voornamen|roepnaam|achternaam|familienaam|volledige naam|voor en achternaam|geboortenaam|=?naam|=?naam klant|=?klantnaam|=?klant',
    pl: 'imię|imiona|imię i nazwisko|nazwisko*|pełne imię i nazwisko|=?klient|imiona i nazwisko',
    cs: 'jméno*|křestní|křestní jméno|příjmení*|celé jméno|=?zákazník|jméno a příjmení',
    sv: 'förnamn*|efternamn*|tilltalsnamn|familjenamn|släktnamn|fullständigt namn|=?namn|=?kundnamn|=?kund',
    tr: 'soyad*|soyisim|=?ad|=?adı|=?isim|ad soyad|adı soyadı|=?müşteri adı|=?müşteri|adı ve soyadı',
    ja: '氏名|お名前|名前|姓名|名字|苗字|ファーストネーム|ラストネーム|フリガナ|=姓|=名|=?顧客名',
  },
  address: {
    any: 'addr|addr1|addr2|address*|street*|*address',
    en: 'address line*|home address|postal address|street address|mailing address|residence|domicile',
    de: 'Anschrift|*anschrift|*adresse|Straße*|Strasse*|Str|Hausanschrift|Wohnsitz',
    fr: 'adresse*|rue|voie|domicile',
    es: 'dirección*|calle*|domicilio',
    it: 'indirizzo*|via|residenza|via e numero civico|domicilio',
    pt: 'morada*|endereço*|rua|logradouro',
    nl: 'straat*|*adres|adres*|straatnaam',
    pl: 'adres*|ulica*|ul',
    cs: 'adresa*|ulice*|bydliště*',
    sv: 'gata*|gatuadress|*adress|adress*',
    tr: 'adres*|sokak*|cadde*|ev adresi',
    ja: '住所|番地|町名',
  },
};
