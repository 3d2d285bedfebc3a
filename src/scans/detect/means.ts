import type { Means } from '../../extraction/extract.ts';
import { IsolatedDocuments } from '../../extraction/isolation/isolated-documents.ts';
import { DEFAULT_LIMITS } from '../../extraction/limits.ts';
import type { RuleSet } from '../../governance/rule-set.ts';

/** How objects are read under these rules. `alive`: called now and then while a document is taken apart. */
export function meansOf({ reading }: RuleSet, alive?: () => void): Means {
  return {
    limits: { ...DEFAULT_LIMITS, ...reading.limits },
    options: { ocr: reading.ocr },
    documents: new IsolatedDocuments(alive),
  };
}
