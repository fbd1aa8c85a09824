import type { Bench } from '../bench.ts';
import type { Conditions } from './conditions.ts';
import type { Measured } from './rounds.ts';

/** The figures that a bench has measured on one machine. If the bench failed, `failed` is the error message. */
export interface Outcome {
  readonly bench: Bench;
  readonly conditions: Conditions;
  readonly measured: readonly Measured[];
  readonly failed?: string;
}
