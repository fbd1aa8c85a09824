// Node loads this file before the program. It shifts the program's clock by the milliseconds in a file, which it reads again
// at each SIGUSR2.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const rightNow = Date.now.bind(Date);
let wrongByMs = 0;
Date.now = () => rightNow() + wrongByMs;
process.on('SIGUSR2', () => {
  wrongByMs = Number(readFileSync(process.env.WRONG_BY_FILE ?? '', 'utf8'));
});
