import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { compileProgram } from './compile-program.ts';

/** Gives the tests `inject('hostProgram')` and `inject('readerProgram')`, compiled once for plain Node, as many processes start them. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('hostProgram', await compileProgram(sourceOf('host/host-main.ts'), 'host'));
  project.provide('readerProgram', await compileProgram(sourceOf('reader/reader-main.ts'), 'reader'));
}

const sourceOf = (path: string): string =>
  fileURLToPath(new URL(`../test/reliability/processes/${path}`, import.meta.url));
