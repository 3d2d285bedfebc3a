/** The part of the API used here: the platform has it, but the ECMAScript type declarations do not. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (code: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { env: { memory: object } },
  ) => { readonly exports: unknown };
};

export interface WasmMemory {
  /** Replaced after each growth; the previous one is detached then. */
  readonly buffer: ArrayBuffer;
  /** Throws a RangeError if memory is insufficient. */
  grow(pages: number): number;
}

/** Compiled code; may be shared by many instances. */
export type WasmModule = object;

export interface WasmInstance<Functions> {
  readonly functions: Functions;
  readonly memory: ArrayBuffer;
}

/** Returns null if the engine lacks an instruction. */
export function compile(code: Uint8Array): WasmModule | null {
  return WebAssembly.validate(code) ? new WebAssembly.Module(code) : null;
}

/** Creates an instance with its own memory. `Functions`: the exports of the module. */
export function instantiate<Functions>(module: WasmModule, pages: number): WasmInstance<Functions> {
  const { functions, memory } = instantiateGrowable<Functions>(module, pages, pages);
  return { functions, memory: memory.buffer };
}

export function instantiateGrowable<Functions>(
  module: WasmModule,
  pages: number,
  maxPages: number,
): { readonly functions: Functions; readonly memory: WasmMemory } {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: maxPages });
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return { functions: exports as Functions, memory };
}
