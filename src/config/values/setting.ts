import type { AnyList, Secret, Single } from '../declaration/shape.ts';
import type { Tree } from '../file/yaml-tree.ts';
import type { Origin } from '../problem.ts';

/** Inputs from which settings are read, besides their defaults. */
export interface SettingInputs {
  readonly tree: Tree | null;
  /** Relative paths in the file are resolved against this folder. */
  readonly folder: string;
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: NodeJS.ProcessEnv;
}

/** A value and where it came from. A list is one setting when its items are single values, or when it is empty. */
export interface Setting {
  readonly path: string;
  readonly shape: Single<unknown> | Secret | AnyList;
  readonly value: unknown;
  readonly origin: Origin;
}

/** Context for reading one value. */
export interface SettingContext extends SettingInputs {
  readonly path: string;
  reportProblem(origin: Origin, message: string, hint?: string): void;
  recordSetting(shape: Setting['shape'], value: unknown, origin: Origin): void;
}
