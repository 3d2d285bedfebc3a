/** What a source was when its scan began, as the scan's row holds it: keys of folders as they are stored everywhere, in Base64. */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import type { InitialState, Source } from '../../sources/source.ts';

export interface StoredInitialState extends Omit<InitialState, 'mounts'> {
  readonly mounts: readonly string[];
}

/** Null: of this source nothing needs to be remembered. */
export function encodeInitialState(source: Source, storage: KeyCodec): StoredInitialState | null {
  const state = source.initialState?.();
  if (state === undefined) return null;
  const stored = (folder: Key) => keyBytes(storage.seal(folder)).toString('base64');
  return { ...state, mounts: state.mounts.map(stored) };
}

/** As a part of what a source is opened with. Null: a scan of an earlier version, or of a source without. */
export function decodeInitialState(
  state: StoredInitialState | null,
  storage: KeyCodec,
): { readonly initialState?: InitialState } {
  if (state === null) return {};
  const opened = (folder: string) => storage.open(keyFromBytes(Buffer.from(folder, 'base64')));
  return { initialState: { ...state, mounts: state.mounts.map(opened) } };
}
