import type { TestProject } from 'vitest/node';
import { forgetPrograms, sharePrograms } from '../compile-program.ts';

/** Lets all workers of a run share compiled programs. A run after a change, in watch mode, compiles them again. */
export default function setup(project: TestProject): void {
  sharePrograms();
  project.onTestsRerun(forgetPrograms);
}
