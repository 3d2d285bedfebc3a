import type { Means } from '../../extraction/extract.ts';
import { IsolatedDocuments, type IsolationOptions } from '../../extraction/isolation/isolated-documents.ts';
import { DEFAULT_LIMITS } from '../../extraction/limits.ts';
import type { RuleSet } from '../../governance/rule-set.ts';

export interface IsolatedMeans extends Means {
  readonly documents: IsolatedDocuments;
}

/** How objects are read under these rules. */
export function meansOf({ reading }: RuleSet, isolation: IsolationOptions = {}): IsolatedMeans {
  const { alive, memory } = isolation;
  return {
    limits: { ...DEFAULT_LIMITS, ...reading.limits },
    options: { ocr: reading.ocr },
    documents: new IsolatedDocuments(isolation),
    ...(alive && { alive }),
    ...(memory && { largeWindows: memory.largeWindows }),
  };
}
