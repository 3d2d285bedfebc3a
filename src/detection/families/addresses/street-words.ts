/**
 * Words for streets in the languages of Europe and the Americas. Matched on binary strings, so they are stored as the Latin-1 reading of
 * their UTF-8.
 */
export const CAPITAL_WORD = String.raw`[A-Z\x80-\xff][A-Za-z\x80-\xff'-]*\.?`;

/** After the number and the name: 742 Evergreen Terrace. */
export const KINDS = anyOf(
  'Street St Str Avenue Ave Road Rd Boulevard Blvd Drive Dr Lane Ln Court Ct Place Pl Square Sq Terrace Ter Tce Parkway Pkwy Circle Cir Highway Hwy',
  'Trail Trl Way Close Crescent Cres Grove Gardens Gdns Mews Row Walk Hill Rise Alley Aly Plaza Plz Loop Path Pike Turnpike Tpke Expressway Expy',
  'Junction Jct Crossing Xing Point Pt Ridge Rdg Run View Vista Esplanade Parade Pde Quay Wharf Green Mount Broadway Causeway Bypass Freeway',
);

/** Before the name: Rua do Arenque, Via Roma, Calle Mayor. */
export const PREFIXES = anyOf(
  'Rua Via Viale Vicolo Rue Calle Callejón Avenida Avda Avenue Av Ave Boulevard Blvd Bd Bulevardul Bulevar Piazza Piazzale Corso Largo Plaza Praça Pça Praza',
  'Travessa Carrer Passeig Paseo Pso Camino Caminho Estrada Estr Rodovia Alameda Strada Str Aleea Chemin Route Impasse Allée Place Quai Ctra Carretera',
  'ul Ul ulica Ulica Urbanización Edificio Aleea Intrarea Aleja aleja Plac náměstí nám třída Rúa C/ Carrera Calzada Ronda Vía Contrada Borgo Lungomare Travesía Urb Jalan Jl',
);

/** The end of the name: Bahnhofstraße, Puruntie, Præstevænget; or a word of its own: Király u., Passauer Strasse. */
export const SUFFIXES = anyOf(
  'straße strasse str gasse weg allee platz ufer damm chaussee steig graben siedlung promenade',
  'straat laan dreef plein gracht kade singel dijk steenweg plantsoen',
  'vägen gatan gränd gränden allén torget stigen backen leden vej vejen gade gaden allé vænget plads torv stræde stien parken bakken',
  'veien vegen veg linja gata gaten plass svingen vei terrasse katu tie kuja polku kaari rinne raitti penger ranta väylä aukio',
  'gata vegur braut stígur stræti straeti gerði hlíð',
  'utca utcája út útja főút lakótelep útca tér tere körút krt u sétány fasor rkp rakpart',
  'ulica cesta trg ulice třída náměstí nábřeží iela gatve bulvāris gatvė prospektas tänav maantee puiestee',
  'sokak sokağı caddesi bulvarı odos leoforos',
);

/** Words between the street type and its name. */
export const LINKS = anyOf(
  "de da do dos das del della delle dei degli di du des d' l' la las los le les el à aux au y e van der den do",
);

export const UNITS =
  'Apt|APT|apt|Apartment|Suite|SUITE|suite|Ste|STE|Unit|UNIT|Flat|Room|Rm|Floor|Fl|Bldg|Building|Wohnung|Whg|Piso|Dpto|Depto|Int|bte|Box|#';

function anyOf(...lines: readonly string[]): string {
  const words = [...new Set(lines.join(' ').split(' '))].sort((a, b) => b.length - a.length);
  return Buffer.from(words.join('|')).toString('latin1');
}
