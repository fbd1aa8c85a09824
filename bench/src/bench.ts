/** What one round of one side measured, by the figure's name. */
export type Figures = Readonly<Record<string, number>>;

/** One round. What it needs besides is made ready before its clock runs. */
type Round = () => Promise<Figures>;

interface Figure {
  readonly name: string;
  readonly unit: string;
  /** What our figure divided by the floor's has to reach, or has to stay below. */
  readonly target: { readonly atLeast: number } | { readonly atMost: number };
}

export interface Prepared {
  readonly floor: Round;
  /** By case, for a bench that compares several with one floor. */
  readonly ours: Readonly<Record<string, Round>>;
  close(): Promise<void>;
}

export interface Bench {
  readonly name: string;
  /** What is measured of ours, in a sentence. */
  readonly ours: string;
  /** What it stands beside, in a sentence. */
  readonly floor: string;
  readonly figures: readonly Figure[];
  prepare(run: Run): Promise<Prepared>;
}

export interface Run {
  /** Rounds that count, of each side. */
  readonly rounds: number;
  /** How long a round under load lasts. */
  readonly seconds: number;
  /** How many single operations a round has where they are measured one after the other. */
  readonly samples: number;
  /** A new database on the run's own PostgreSQL server; its connection string. */
  openDatabase(): Promise<string>;
}

export const CONNECTIONS = 32;
