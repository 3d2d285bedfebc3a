/** What people call the columns of their tables, in twelve languages. */

/** Kinds of columns that must be found. */
export const SENSITIVE = [
  ...['first_name', 'last_name', 'full_name', 'email', 'phone', 'street', 'full_address', 'postal_code'],
  ...['birth_date', 'national_id', 'iban', 'card', 'user_name', 'password', 'salary', 'ip'],
] as const;

/** Kinds of columns in which nothing must be found. In `city` an address may be found. */
export const NEUTRAL = [
  ...['city', 'product', 'quantity', 'sku', 'created', 'status', 'notes', 'order_number', 'record_id'],
  ...['uuid', 'price', 'counter'],
] as const;

export type SensitiveKind = (typeof SENSITIVE)[number];
export type ColumnKind = SensitiveKind | (typeof NEUTRAL)[number];

/** In the order of SENSITIVE and NEUTRAL; alternatives are separated by |. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    ...['First Name|Given name|Forename', 'Last Name|Surname|Family name', 'Name|Full name|Customer name'],
    ...['E-mail|Email address|Mail', 'Phone|Telephone number|Mobile', 'Street|Street address|Address line 1'],
    ...['Address|Home address|Postal address', 'ZIP|ZIP code|Postal code', 'Date of birth|DOB|Birthday'],
    ...['SSN|Social security number|Social security no.', 'IBAN|Bank account|Account (IBAN)'],
    ...[
      'Card number|Credit card|Payment card no.',
      'User name|Login|Username',
      'Password|Pwd|Initial password',
    ],
    ...['Salary|Annual salary|Base pay', 'IP|IP address|Last login IP'],
    ...['City|Town', 'Product|Item', 'Quantity|Qty', 'SKU|Part no.', 'Created|Created at', 'Status|State'],
    ...[
      'Notes|Remarks',
      'Order number|Order no.',
      'Record ID|Row id',
      'UUID|Session',
      'Price|Amount',
      'Count|Views',
    ],
  ],
  de: [
    ...['Vorname|Rufname|Vornamen', 'Nachname|Familienname|Zuname', 'Name|Vollständiger Name|Kundenname'],
    ...[
      'E-Mail|E-Mail-Adresse|Mailadresse',
      'Telefon|Telefonnummer|Handynummer',
      'Straße|Straße und Hausnummer|Strasse',
    ],
    ...['Anschrift|Adresse|Postanschrift', 'PLZ|Postleitzahl|Plz', 'Geburtsdatum|Geb.-Datum|Geburtstag'],
    ...['Steuer-ID|Steueridentifikationsnummer|IdNr.', 'IBAN|Bankverbindung|Kontonummer (IBAN)'],
    ...[
      'Kartennummer|Kreditkarte|Kreditkartennummer',
      'Benutzername|Anmeldename|Login',
      'Passwort|Kennwort|Initialpasswort',
    ],
    ...['Gehalt|Jahresgehalt|Bruttogehalt', 'IP|IP-Adresse|Letzte IP'],
    ...[
      'Ort|Wohnort',
      'Produkt|Artikel',
      'Menge|Anzahl',
      'Artikelnummer|Teilenummer',
      'Erstellt|Angelegt am',
      'Status|Zustand',
    ],
    ...[
      'Bemerkungen|Notizen',
      'Bestellnummer|Auftragsnummer',
      'Datensatz-ID|Zeilen-ID',
      'UUID|Sitzung',
      'Preis|Betrag',
      'Zähler|Aufrufe',
    ],
  ],
  fr: [
    ...[
      'Prénom|Prénoms|Prenom',
      'Nom|Nom de famille|Nom patronymique',
      'Nom complet|Nom et prénom|Nom du client',
    ],
    ...[
      'E-mail|Adresse e-mail|Courriel',
      'Téléphone|Numéro de téléphone|Portable',
      'Rue|Voie|Adresse ligne 1',
    ],
    ...[
      'Adresse|Adresse postale|Domicile',
      'Code postal|CP|Code postal domicile',
      'Date de naissance|Né(e) le|Naissance',
    ],
    ...['Numéro de sécurité sociale|NIR|N° sécu', 'IBAN|Compte bancaire|RIB (IBAN)'],
    ...[
      'Numéro de carte|Carte bancaire|Carte de crédit',
      'Identifiant|Nom d’utilisateur|Login',
      'Mot de passe|MDP|Mot de passe initial',
    ],
    ...['Salaire|Salaire annuel|Rémunération', 'IP|Adresse IP|Dernière IP'],
    ...[
      'Ville|Commune',
      'Produit|Article',
      'Quantité|Qté',
      'Référence|Réf. article',
      'Créé le|Création',
      'Statut|État',
    ],
    ...[
      'Remarques|Notes',
      'Numéro de commande|N° commande',
      'ID enregistrement|ID ligne',
      'UUID|Session',
      'Prix|Montant',
      'Compteur|Vues',
    ],
  ],
  es: [
    ...[
      'Nombre|Nombre de pila|Nombres',
      'Apellidos|Apellido|Primer apellido',
      'Nombre completo|Nombre y apellidos|Cliente',
    ],
    ...[
      'Correo electrónico|E-mail|Correo',
      'Teléfono|Número de teléfono|Móvil',
      'Calle|Calle y número|Domicilio',
    ],
    ...[
      'Dirección|Dirección postal|Dirección completa',
      'Código postal|C.P.|CP',
      'Fecha de nacimiento|F. nacimiento|Nacimiento',
    ],
    ...['DNI|Número de DNI|Documento de identidad', 'IBAN|Cuenta bancaria|Cuenta (IBAN)'],
    ...[
      'Número de tarjeta|Tarjeta de crédito|Tarjeta',
      'Usuario|Nombre de usuario|Login',
      'Contraseña|Clave|Contraseña inicial',
    ],
    ...['Salario|Sueldo|Salario anual', 'IP|Dirección IP|Última IP'],
    ...[
      'Ciudad|Población',
      'Producto|Artículo',
      'Cantidad|Unidades',
      'Referencia|Código artículo',
      'Creado|Fecha de alta',
      'Estado|Situación',
    ],
    ...[
      'Observaciones|Notas',
      'Número de pedido|N.º pedido',
      'ID de registro|ID fila',
      'UUID|Sesión',
      'Precio|Importe',
      'Contador|Visitas',
    ],
  ],
  it: [
    ...[
      'Nome|Nome di battesimo|Primo nome',
      'Cognome|Cognome di famiglia|Cognome cliente',
      'Nome e cognome|Nominativo|Nome completo',
    ],
    ...[
      'E-mail|Indirizzo e-mail|Posta elettronica',
      'Telefono|Numero di telefono|Cellulare',
      'Via|Via e numero civico|Indirizzo riga 1',
    ],
    ...[
      'Indirizzo|Indirizzo postale|Residenza',
      'CAP|Codice postale|C.A.P.',
      'Data di nascita|Nato il|Nascita',
    ],
    ...['Codice fiscale|Cod. fiscale|C.F.', 'IBAN|Conto corrente|Coordinate bancarie'],
    ...[
      'Numero carta|Carta di credito|N. carta',
      'Nome utente|Utente|Login',
      'Password|Parola chiave|Password iniziale',
    ],
    ...['Stipendio|Retribuzione|Stipendio annuo', 'IP|Indirizzo IP|Ultimo IP'],
    ...[
      'Città|Comune',
      'Prodotto|Articolo',
      'Quantità|Q.tà',
      'Codice articolo|Riferimento',
      'Creato|Data creazione',
      'Stato|Situazione',
    ],
    ...[
      'Note|Osservazioni',
      'Numero ordine|N. ordine',
      'ID record|ID riga',
      'UUID|Sessione',
      'Prezzo|Importo',
      'Contatore|Visite',
    ],
  ],
  pt: [
    ...[
      'Nome próprio|Primeiro nome|Nome',
      'Apelido|Sobrenome|Último nome',
      'Nome completo|Nome do cliente|Nome e apelido',
    ],
    ...[
      'E-mail|Correio eletrónico|Endereço de e-mail',
      'Telefone|Número de telefone|Telemóvel',
      'Rua|Rua e número|Logradouro',
    ],
    ...[
      'Morada|Endereço|Morada completa',
      'Código postal|CP|Cód. postal',
      'Data de nascimento|Nascimento|Data nasc.',
    ],
    ...['NIF|Número de contribuinte|N.º contribuinte', 'IBAN|Conta bancária|Conta (IBAN)'],
    ...[
      'Número do cartão|Cartão de crédito|Cartão',
      'Utilizador|Nome de utilizador|Login',
      'Palavra-passe|Senha|Senha inicial',
    ],
    ...['Salário|Vencimento|Salário anual', 'IP|Endereço IP|Último IP'],
    ...[
      'Cidade|Localidade',
      'Produto|Artigo',
      'Quantidade|Qtd.',
      'Referência|Código do artigo',
      'Criado em|Data de criação',
      'Estado|Situação',
    ],
    ...[
      'Observações|Notas',
      'Número da encomenda|N.º encomenda',
      'ID do registo|ID linha',
      'UUID|Sessão',
      'Preço|Valor',
      'Contador|Visualizações',
    ],
  ],
  nl: [
    ...[
      'Voornaam|Roepnaam|Voornamen',
      'Achternaam|Familienaam|Naam',
      'Volledige naam|Naam klant|Voor- en achternaam',
    ],
    ...[
      'E-mail|E-mailadres|Mailadres',
      'Telefoon|Telefoonnummer|Mobiel',
      'Straat|Straat en huisnummer|Adresregel 1',
    ],
    ...['Adres|Woonadres|Postadres', 'Postcode|Postcode woonadres|PC', 'Geboortedatum|Geb. datum|Geboren'],
    ...['BSN|Burgerservicenummer|BSN-nummer', 'IBAN|Bankrekening|Rekeningnummer'],
    ...[
      'Kaartnummer|Creditcard|Creditcardnummer',
      'Gebruikersnaam|Inlognaam|Login',
      'Wachtwoord|Ww|Tijdelijk wachtwoord',
    ],
    ...['Salaris|Jaarsalaris|Brutosalaris', 'IP|IP-adres|Laatste IP'],
    ...[
      'Plaats|Woonplaats',
      'Product|Artikel',
      'Aantal|Hoeveelheid',
      'Artikelnummer|Onderdeelnr.',
      'Aangemaakt|Aanmaakdatum',
      'Status|Toestand',
    ],
    ...[
      'Opmerkingen|Notities',
      'Ordernummer|Bestelnummer',
      'Record-ID|Regel-ID',
      'UUID|Sessie',
      'Prijs|Bedrag',
      'Teller|Weergaven',
    ],
  ],
  pl: [
    ...[
      'Imię|Imiona|Pierwsze imię',
      'Nazwisko|Nazwisko klienta|Nazwisko rodowe',
      'Imię i nazwisko|Klient|Pełne imię i nazwisko',
    ],
    ...[
      'E-mail|Adres e-mail|Poczta elektroniczna',
      'Telefon|Numer telefonu|Komórka',
      'Ulica|Ulica i numer|Ulica i nr domu',
    ],
    ...[
      'Adres|Adres zamieszkania|Adres korespondencyjny',
      'Kod pocztowy|Kod|Kod poczt.',
      'Data urodzenia|Urodzony|Data ur.',
    ],
    ...['PESEL|Numer PESEL|Nr PESEL', 'IBAN|Numer konta|Rachunek bankowy'],
    ...[
      'Numer karty|Karta kredytowa|Nr karty',
      'Nazwa użytkownika|Użytkownik|Login',
      'Hasło|Hasło tymczasowe|Hasło początkowe',
    ],
    ...['Wynagrodzenie|Pensja|Wynagrodzenie roczne', 'IP|Adres IP|Ostatnie IP'],
    ...[
      'Miasto|Miejscowość',
      'Produkt|Towar',
      'Ilość|Szt.',
      'Indeks|Kod towaru',
      'Utworzono|Data utworzenia',
      'Status|Stan',
    ],
    ...[
      'Uwagi|Notatki',
      'Numer zamówienia|Nr zamówienia',
      'ID rekordu|ID wiersza',
      'UUID|Sesja',
      'Cena|Kwota',
      'Licznik|Odsłony',
    ],
  ],
  cs: [
    ...[
      'Jméno|Křestní jméno|Křestní',
      'Příjmení|Příjmení klienta|Rodné příjmení',
      'Jméno a příjmení|Celé jméno|Zákazník',
    ],
    ...[
      'E-mail|E-mailová adresa|Elektronická pošta',
      'Telefon|Telefonní číslo|Mobil',
      'Ulice|Ulice a číslo|Ulice a č. p.',
    ],
    ...[
      'Adresa|Adresa bydliště|Bydliště',
      'PSČ|Poštovní směrovací číslo|Psč',
      'Datum narození|Narozen|Dat. nar.',
    ],
    ...['Rodné číslo|RČ|Rod. číslo', 'IBAN|Číslo účtu|Bankovní účet'],
    ...[
      'Číslo karty|Platební karta|Kreditní karta',
      'Uživatelské jméno|Uživatel|Login',
      'Heslo|Dočasné heslo|Přihlašovací heslo',
    ],
    ...['Mzda|Plat|Roční mzda', 'IP|IP adresa|Poslední IP'],
    ...[
      'Město|Obec',
      'Produkt|Zboží',
      'Množství|Ks',
      'Kód zboží|Číslo dílu',
      'Vytvořeno|Datum vytvoření',
      'Stav|Status',
    ],
    ...[
      'Poznámky|Poznámka',
      'Číslo objednávky|Č. objednávky',
      'ID záznamu|ID řádku',
      'UUID|Relace',
      'Cena|Částka',
      'Počítadlo|Zobrazení',
    ],
  ],
  sv: [
    ...[
      'Förnamn|Tilltalsnamn|Förnamnet',
      'Efternamn|Familjenamn|Släktnamn',
      'Namn|Fullständigt namn|Kundnamn',
    ],
    ...['E-post|E-postadress|Mejl', 'Telefon|Telefonnummer|Mobilnummer', 'Gata|Gatuadress|Gata och nummer'],
    ...['Adress|Hemadress|Postadress', 'Postnummer|Postnr|Post nr', 'Födelsedatum|Född|Födelsedag'],
    ...['Personnummer|Personnr|Pnr', 'IBAN|Bankkonto|Kontonummer'],
    ...[
      'Kortnummer|Kreditkort|Betalkort',
      'Användarnamn|Användare|Inloggning',
      'Lösenord|Tillfälligt lösenord|Lösen',
    ],
    ...['Lön|Årslön|Månadslön', 'IP|IP-adress|Senaste IP'],
    ...[
      'Ort|Stad',
      'Produkt|Artikel',
      'Antal|Kvantitet',
      'Artikelnummer|Art.nr',
      'Skapad|Skapad den',
      'Status|Läge',
    ],
    ...[
      'Anmärkningar|Anteckningar',
      'Ordernummer|Beställningsnr',
      'Post-ID|Rad-ID',
      'UUID|Session',
      'Pris|Belopp',
      'Räknare|Visningar',
    ],
  ],
  tr: [
    ...['Ad|Adı|İsim', 'Soyad|Soyadı|Soyisim', 'Ad Soyad|Adı Soyadı|Müşteri adı'],
    ...[
      'E-posta|E-posta adresi|Eposta',
      'Telefon|Telefon numarası|Cep telefonu',
      'Sokak|Cadde/Sokak|Sokak ve no',
    ],
    ...['Adres|Ev adresi|Posta adresi', 'Posta kodu|PK|Posta Kod', 'Doğum tarihi|Doğum günü|D. tarihi'],
    ...['TC Kimlik No|T.C. kimlik numarası|Kimlik no', 'IBAN|Banka hesabı|Hesap numarası'],
    ...[
      'Kart numarası|Kredi kartı|Kart no',
      'Kullanıcı adı|Kullanıcı|Giriş adı',
      'Şifre|Parola|Geçici şifre',
    ],
    ...['Maaş|Ücret|Yıllık maaş', 'IP|IP adresi|Son IP'],
    ...[
      'Şehir|İl',
      'Ürün|Mal',
      'Adet|Miktar',
      'Stok kodu|Parça no',
      'Oluşturma|Oluşturma tarihi',
      'Durum|Hâl',
    ],
    ...[
      'Notlar|Açıklama',
      'Sipariş numarası|Sipariş no',
      'Kayıt no|Satır no',
      'UUID|Oturum',
      'Fiyat|Tutar',
      'Sayaç|Görüntüleme',
    ],
  ],
  ja: [
    ...['名|名前（名）|ファーストネーム', '姓|名字|苗字', '氏名|お名前|顧客名'],
    ...['メールアドレス|Eメール|メール', '電話番号|電話|携帯電話', '番地|町名・番地|住所1'],
    ...['住所|ご住所|自宅住所', '郵便番号|〒|郵便', '生年月日|誕生日|生まれ'],
    ...['マイナンバー|個人番号|マイナンバー番号', 'IBAN|銀行口座|口座番号'],
    ...[
      'カード番号|クレジットカード|クレジットカード番号',
      'ユーザー名|ログインID|ユーザID',
      'パスワード|暗証|初期パスワード',
    ],
    ...['給与|年収|月給', 'IP|IPアドレス|最終IP'],
    ...['市区町村|都市', '商品|品名', '数量|個数', '品番|型番', '作成日時|登録日', '状態|ステータス'],
    ...['備考|メモ', '注文番号|受注番号', 'レコードID|行番号', 'UUID|セッション', '価格|金額', '回数|閲覧数'],
  ],
};

/** As in tables that programs write, whatever the language of the values is. */
const SHORT = [
  ...[
    'fname',
    'lname',
    'full_nm',
    'email_addr',
    'tel',
    'addr1',
    'addr',
    'zip',
    'dob',
    'nat_id',
    'iban',
    'cc_num',
  ],
  ...[
    'usr',
    'pwd',
    'sal',
    'ip_addr',
    'city',
    'prod',
    'qty',
    'sku',
    'created_at',
    'status',
    'notes',
    'order_no',
  ],
  ...['rec_id', 'uuid', 'amt', 'cnt'],
];

export const LANGUAGES: readonly string[] = Object.keys(WORDS);
export const COLUMNS: readonly ColumnKind[] = [...SENSITIVE, ...NEUTRAL];

/** One of the names of a column; a table uses the names of one row of alternatives. */
export function headerOf(language: string, kind: ColumnKind, alternative: number): string {
  const names = WORDS[language]![COLUMNS.indexOf(kind)]!.split('|');
  return names[alternative % names.length]!;
}

export function shortHeaderOf(kind: ColumnKind): string {
  return SHORT[COLUMNS.indexOf(kind)]!;
}
