import { headed, type Words } from '../event-words.ts';
import type { electionEvents } from './events.ts';

export const electionWords: Words<typeof electionEvents> = {
  'author.nominated': ({ candidate, reason }, { nameOf, say }) =>
    headed(`${say('names', 'name')} ${nameOf(candidate)} as Contract Author`, reason),
  'author.elected': ({ contract_author, technical_reviewer }, { nameOf }) => ({
    heading: '',
    outcome: `Contract Author: ${nameOf(contract_author)}. Technical Reviewer: ${nameOf(technical_reviewer)}`,
  }),
};
