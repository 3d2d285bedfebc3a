/**
 * The library extracts the appearance text of text fields and free text annotations only. The appearance of a signature or a stamp (who
 * signed, when, with which address) may not be available anywhere else in the document.
 */
import type { AnnotationInternals, LibraryInternals } from './library-internals.ts';

/** From now on. */
export function readDrawnAnnotations({ AnnotationClass: { prototype } }: LibraryInternals): void {
  Object.defineProperty(prototype, 'hasTextContent', {
    configurable: true,
    get(this: AnnotationInternals): boolean {
      const { fieldType, subtype } = this.data;
      return this.appearance !== null && (fieldType === 'Sig' || subtype === 'Stamp');
    },
  });
}
