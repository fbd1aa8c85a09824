import { readFileSync } from 'node:fs';
import { membersOf, textIn } from '../transcript/message.ts';

export const VERSION = textIn(
  membersOf(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))),
  'version',
);
