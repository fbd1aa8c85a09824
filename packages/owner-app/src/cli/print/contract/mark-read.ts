import type { Page } from '../../../text/page.ts';
import { settlingLine } from '../../flags/command-line.ts';

/** Where a contract is read: the command line that runs this program, and the session. */
export interface ReadingPlace {
  readonly program: string;
  readonly sessionId: string;
}

/** The command that records which sections of a revision the owner has read, after an empty line. */
export const markReadLines = (
  revision_id: string,
  { program, sessionId }: ReadingPlace,
  { paint }: Page,
  section = 'all',
): string[] => [
  '',
  paint(
    'dim',
    `To mark ${section === 'all' ? revision_id : `this section of ${revision_id}`} as read: ${settlingLine(program, { operation: 'markRead', sessionId, payload: { revision_id, sections: [section] } })}`,
  ),
];
