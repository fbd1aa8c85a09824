import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { compileProgram } from '../compile-program.ts';

/**
 * Bundles two programs for tests that start many processes, and provides their paths as `inject('hostProgram')` and
 * `inject('readerProgram')`.
 */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('hostProgram', await compileProgram(sourceOf('host/host-main.ts'), 'host'));
  project.provide('readerProgram', await compileProgram(sourceOf('reader/reader-main.ts'), 'reader'));
}

const sourceOf = (path: string): string =>
  fileURLToPath(new URL(`../../test/reliability/processes/${path}`, import.meta.url));
