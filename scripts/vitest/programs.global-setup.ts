import { sharePrograms } from '../compile-program.ts';

/** Lets all workers of a run share compiled programs. */
export default function setup(): void {
  sharePrograms();
}
