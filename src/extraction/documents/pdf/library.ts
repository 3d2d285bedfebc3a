/**
 * The PDF library, with some internals that it does not export. It is a single file, whose source is modified when it is loaded to export
 * a few more names. They are minified, so the expressions below match one version; loading another one fails and says so.
 */
import { registerHooks } from 'node:module';
import { UnsupportedLibrary } from '../../extraction-error.ts';
import { readAttachmentsOnce } from './attached-streams.ts';
import { readDrawnAnnotations } from './drawn-annotations.ts';
import { installFastStrings } from './fast-strings.ts';
import { installFastText } from './fast-text.ts';
import type { Library, LibraryInternals } from './library-internals.ts';

const FILE = '/unpdf/dist/pdfjs.mjs';
/** The internal expression behind each new export name. */
export const HIDDEN: Readonly<Record<keyof LibraryInternals, string>> = {
  Evaluator: '=class PartialEvaluator{',
  OperationReader: '=class EvaluatorPreprocessor{',
  Stream: '=class Stream extends ',
  Lexer: '=class{constructor(e,t=null){this.stream=e,this.nextChar(),',
  FileSpec: '=class FileSpec{',
  AnnotationClass: '=class{appearance=null;_oc=void 0;',
  bidi: '(e,t=-1,n=!1){let r=!0,i=e.length;',
};
/** Longer than any of those names. */
const NAME_LENGTH = 40;

let loading: Promise<Library> | null = null;

export function pdfLibrary(): Promise<Library> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Library> {
  let isModified = false;
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(FILE) || !(loaded.source instanceof Uint8Array)) return loaded;
      isModified = true;
      return { ...loaded, source: Buffer.concat([loaded.source, Buffer.from(moreExports(loaded.source))]) };
    },
  });
  try {
    const library = (await import('unpdf/pdfjs')) as Library & LibraryInternals;
    if (!isModified) throw new UnsupportedLibrary('unpdf', 'its internals were not exported');
    installFastText(library, library);
    installFastStrings(library);
    readDrawnAnnotations(library);
    readAttachmentsOnce(library);
    return library;
  } finally {
    hooks.deregister();
  }
}

/** The statement that exports the internals. Throws if one of the expressions no longer occurs exactly once, after a name. */
export function moreExports(source: Uint8Array): string {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.length);
  const names = Object.entries(HIDDEN).map(([name, behind]) => {
    const end = bytes.indexOf(behind);
    const before = bytes.toString('latin1', Math.max(0, end - NAME_LENGTH), Math.max(0, end));
    const hidden = /[\w$]+$/.exec(before)?.[0];
    if (hidden === undefined || bytes.includes(behind, end + 1))
      throw new UnsupportedLibrary('unpdf', `${name} is not where it was`);
    return `${hidden} as ${name}`;
  });
  return `\nexport { ${names.join(', ')} };`;
}
