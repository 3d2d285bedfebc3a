/**
 * The state of a source when its scan started, as stored in the scan's row: keys of folders in their stored
 * form, in Base64.
 */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import type { InitialState, Source } from '../../sources/source.ts';

export interface StoredInitialState extends Omit<InitialState, 'mounts'> {
  readonly mounts: readonly string[];
}

/** Null: this source has no state to store. */
export function encodeInitialState(source: Source, storage: KeyCodec): StoredInitialState | null {
  const state = source.initialState?.();
  if (state === undefined) return null;
  const stored = (folder: Key) => keyBytes(storage.seal(folder)).toString('base64');
  return { ...state, mounts: state.mounts.map(stored) };
}

/**
 * Returns the options for opening the source. Null: a scan of an earlier version, or a source without
 * state.
 */
export function decodeInitialState(
  state: StoredInitialState | null,
  storage: KeyCodec,
): { readonly initialState?: InitialState } {
  if (state === null) return {};
  const opened = (folder: string) => storage.open(keyFromBytes(Buffer.from(folder, 'base64')));
  return { initialState: { ...state, mounts: state.mounts.map(opened) } };
}
