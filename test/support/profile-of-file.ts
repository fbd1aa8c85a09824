import { basename } from 'node:path';
import { expect } from 'vitest';

/** The profile of the sessions of a test file: every other file, by its name, has light ones. */
export function profileOfFile(): 'full' | 'light' {
  const name = basename(expect.getState().testPath ?? '');
  return [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2 === 0 ? 'light' : 'full';
}
