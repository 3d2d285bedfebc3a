import { DEFAULT_LIMITS } from './limits.ts';
import { WindowMemory } from './window-memory.ts';

/** What an object has by default. */
export const usualWindows = (): WindowMemory => new WindowMemory(DEFAULT_LIMITS.windowBytes);
