import type { ServerProcess, StartServer } from './server-process.ts';

/** The figures that one round of one side has measured, by name. */
export type Figures = Readonly<Record<string, number>>;

/** Runs one round and measures it. The data of the round was prepared before, outside of the measurement. */
type Round = () => Promise<Figures>;

/** The lowest or the highest value that meets a target. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Name of the floor with which the figure is compared. Absent if the bench has only one floor. */
  readonly beside?: string;
  /** Target for the ratio: our figure divided by the figure of the floor. */
  readonly ratio?: Bound;
  /** Target for our figure itself, in its unit. */
  readonly limit?: Bound;
}

export interface Prepared {
  /** The functions that run one round of a floor, by the name of the floor. A single floor has the name `ONLY`. */
  readonly floors: Readonly<Record<string, Round>>;
  /**
   * The functions that run one round of the service, by the name of the case. A single case has the name `ONLY`. Every case
   * is compared with the same floors.
   */
  readonly ours: Readonly<Record<string, Round>>;
  /** True if each round starts a new process. A warm-up round would then have no effect. */
  readonly needsNoWarmUp?: true;
}

/** The name of the floor or case of a bench that has only one. */
export const ONLY = '';

export interface Bench {
  readonly name: string;
  /** A sentence that describes what the service does in this bench. */
  readonly ours: string;
  /** A sentence that describes what the floor or peer does. */
  readonly floor: string;
  readonly figures: readonly Figure[];
  prepare(run: Run): Promise<Prepared>;
}

export interface Pace {
  /** Number of measured rounds of each of the two sides. */
  readonly rounds: number;
  /** Seconds that a round under load takes. A round ends earlier if a session has no turns left. */
  readonly seconds: number;
  /** Number of operations in a round without load. They run one after another. */
  readonly samples: number;
  /** True for a quick run: each bench prepares less data, and the names of its cases contain the smaller size. */
  readonly isQuick: boolean;
}

/** The settings and functions that all benches of a run share. */
export interface Surroundings extends Pace {
  /** Creates a database on the PostgreSQL server of the run. Returns its connection string. */
  openDatabase(): Promise<string>;
}

/** The functions and settings for one bench. Everything that the bench starts is ended when the bench ends or fails. */
export interface Run extends Surroundings {
  /** Starts a server in a separate process, which is stopped when the bench ends. */
  startServer(...server: Parameters<StartServer>): Promise<ServerProcess>;
  /** Registers a function that is called when the bench ends. The function that was registered last is called first. */
  defer(cleanUp: () => unknown): void;
}

export const CONNECTIONS = 32;
