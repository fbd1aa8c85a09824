import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { compileProgram } from './compile-program.ts';

/** Gives the tests `inject('hostProgram')`: a host compiled once for plain Node, as many processes start it. */
export default async function setup(project: TestProject): Promise<void> {
  const entry = fileURLToPath(new URL('../test/processes/host/host-main.ts', import.meta.url));
  project.provide('hostProgram', await compileProgram(entry, 'host'));
}
