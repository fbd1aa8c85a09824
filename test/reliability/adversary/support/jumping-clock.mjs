// Node loads this file before the program. At each SIGUSR2 it reads from a file by how many milliseconds it shifts the
// clock.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const rightNow = Date.now.bind(Date);
let wrongByMs = 0;
Date.now = () => rightNow() + wrongByMs;
process.on('SIGUSR2', () => {
  wrongByMs = Number(readFileSync(process.env.WRONG_BY_FILE ?? '', 'utf8'));
});
