// Preloaded into a process: its clock is wrong by a day, and goes back now and then.
const DAY_MS = 86_400_000;
const { now } = Date;
let reads = 0;
Date.now = () => now() + (reads++ % 100 === 0 ? -DAY_MS : DAY_MS);
const Real = Date;
globalThis.Date = class Shifted extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now());
    else super(...given);
  }
};
