// Shifts the clock of a program, before which Node loads this module. At each SIGUSR2 the module reads the shift, in
// milliseconds, from the file that the environment variable WRONG_BY_FILE names.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const rightNow = Date.now.bind(Date);
let wrongByMs = 0;
Date.now = () => rightNow() + wrongByMs;
process.on('SIGUSR2', () => {
  wrongByMs = Number(readFileSync(process.env.WRONG_BY_FILE ?? '', 'utf8'));
});
