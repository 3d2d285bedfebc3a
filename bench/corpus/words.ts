/** Plain words, none of them a label or a value of a detector. */
export const WORDS =
  'river lantern harbour paddle cedar morning market engine travel winter garden window silver basket copper meadow signal bridge forest candle planet anchor summer ribbon saddle timber velvet whistle yellow pebble orchard kettle hammer feather thunder blanket cottage journey balance machine captain chapter service session process request response handler storage network cluster version release pipeline document template schedule picture station village library theatre kitchen weather quarter history science language surface pattern material quality measure support project program product problem process section position question research resource'.split(
    ' ',
  );
export const LEVELS = ['INFO ', 'INFO ', 'INFO ', 'DEBUG', 'WARN ', 'ERROR'];
export const MODULES = [
  'billing.queue',
  'catalog.sync',
  'http.router',
  'cache.store',
  'jobs.runner',
  'mail.render',
];
export const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Gecko/20100101 Firefox/128.0',
  'curl/8.5.0',
];
