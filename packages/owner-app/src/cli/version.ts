import { readFileSync } from 'node:fs';
import { membersOf, textIn } from '../transcript/message.ts';

/** The version of this package. */
export const VERSION = textIn(
  membersOf(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))),
  'version',
);
