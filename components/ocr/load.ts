/** Imported once the component is installed. The packages are found in node_modules beside this file, or in that of a development installation. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The WebAssembly build of Tesseract without the library's own worker threads. */
export const getCore: unknown = require('tesseract.js/src/worker-script/node/getCore.js');

const english = dirname(require.resolve('@tesseract.js-data/eng/package.json'));
export const englishData = join(english, '4.0.0_best_int/eng.traineddata.gz');
