import type { Bench } from '../bench.ts';
import type { Conditions } from './conditions.ts';
import type { Measured } from './rounds.ts';

/** The figures that a bench has measured on one machine, or the error message if the bench failed. */
export interface Outcome {
  readonly bench: Bench;
  readonly conditions: Conditions;
  readonly measured: readonly Measured[];
  readonly failed?: string;
}
