/** What one round of one side measured, by the figure's name. */
export type Figures = Readonly<Record<string, number>>;

/** One round. What it needs besides is made ready before its clock runs. */
type Round = () => Promise<Figures>;

/** What a value has to reach, or has to stay below. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** The floor it stands beside, by name, where a bench has several. */
  readonly beside?: string;
  /** What our figure divided by the floor's has to keep. */
  readonly ratio?: Bound;
  /** What our figure has to keep by itself, in its unit. */
  readonly limit?: Bound;
}

export interface Prepared {
  /** By name; a bench with one floor calls it `ONLY`. */
  readonly floors: Readonly<Record<string, Round>>;
  /** By case, for a bench that holds several of ours against the same floors; else `ONLY`. */
  readonly ours: Readonly<Record<string, Round>>;
  /** Set where each round begins on a new process, so that the first counts like the others. */
  readonly needsNoWarmUp?: true;
  close(): Promise<void>;
}

/** The name of the one floor, or of the one case, there is. */
export const ONLY = '';

export interface Bench {
  readonly name: string;
  /** What is measured of ours, in a sentence. */
  readonly ours: string;
  /** What it stands beside, in a sentence. */
  readonly floor: string;
  readonly figures: readonly Figure[];
  prepare(run: Run): Promise<Prepared>;
}

export interface Pace {
  /** Rounds that count, of each side. */
  readonly rounds: number;
  /** How long a round under load lasts. */
  readonly seconds: number;
  /** How many single operations a round has where they are measured one after the other. */
  readonly samples: number;
  /** Whether what takes long to prepare is made smaller; the names of the cases say how large it is. */
  readonly isQuick: boolean;
}

export interface Run extends Pace {
  /** A new database on the run's own PostgreSQL server; its connection string. */
  openDatabase(): Promise<string>;
}

export const CONNECTIONS = 32;
