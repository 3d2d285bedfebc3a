/**
 * The library tells what is drawn in place of a text field or a free text, and of no other annotation. What a signature
 * or a stamp shows (who signed, when, with which address) stands nowhere else in a document that can be read.
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
