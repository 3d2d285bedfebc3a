/** As much of it as is needed here: the platform has it, the language's own declarations do not. */
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
  /** Another one after each growth; the one before is empty then. */
  readonly buffer: ArrayBuffer;
  /** RangeError: there is not so much. */
  grow(pages: number): number;
}

/** Code that is ready to be used; many instances may share it. */
export type WasmModule = object;

export interface WasmInstance<Functions> {
  readonly functions: Functions;
  readonly memory: ArrayBuffer;
}

/** null where the engine lacks an instruction. */
export function compile(code: Uint8Array): WasmModule | null {
  return WebAssembly.validate(code) ? new WebAssembly.Module(code) : null;
}

/** With a memory of its own. `Functions`: what the module exports. */
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
