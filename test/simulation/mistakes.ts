import type { Mistake } from './n8nProcess';

/** Small mistakes, each of which breaks a promise: what the simulation is worth is how many of them it finds. */
export const MISTAKES: Mistake[] = [];
