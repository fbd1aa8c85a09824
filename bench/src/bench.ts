/** The figures that one round of one side measured, by name. */
export type Figures = Readonly<Record<string, number>>;

/** Runs one round and measures it. Preparation is not measured. */
type Round = () => Promise<Figures>;

/** The least or the greatest value that meets a target. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Name of the floor with which the figure is compared, if the bench has several floors. */
  readonly beside?: string;
  /** Target for the ratio: our figure divided by the floor's figure. */
  readonly ratio?: Bound;
  /** Target for our figure itself, in its unit. */
  readonly limit?: Bound;
}

export interface Prepared {
  /** Rounds of the floors, by name; the name of a single floor is `ONLY`. */
  readonly floors: Readonly<Record<string, Round>>;
  /** Rounds of our cases, by name; the name of a single case is `ONLY`. Every case is compared with the same floors. */
  readonly ours: Readonly<Record<string, Round>>;
  /** True if each round starts a new process; a round without measurement before them would then change nothing. */
  readonly needsNoWarmUp?: true;
  close(): Promise<void>;
}

/** Name of the only floor or the only case of a bench. */
export const ONLY = '';

export interface Bench {
  readonly name: string;
  /** A sentence about the measured side of the service. */
  readonly ours: string;
  /** A sentence about the floor or peer with which the service is compared. */
  readonly floor: string;
  readonly figures: readonly Figure[];
  prepare(run: Run): Promise<Prepared>;
}

export interface Pace {
  /** Number of measured rounds of each side. */
  readonly rounds: number;
  /** Seconds that a round under load takes. */
  readonly seconds: number;
  /** Number of operations in a round that makes them one after the other. */
  readonly samples: number;
  /** Whether a bench prepares less data. The names of its cases then show the smaller size. */
  readonly isQuick: boolean;
}

export interface Run extends Pace {
  /** Creates a database on the run's PostgreSQL server; returns its connection string. */
  openDatabase(): Promise<string>;
}

export const CONNECTIONS = 32;
