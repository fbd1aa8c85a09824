import { shellWord } from '../../../text/shell-word.ts';
import type { Seen } from '../../flags/command-line.ts';

/** What `formatRecord` needs in addition to the answer of the operation `records`. */
export interface RecordPlace {
  readonly nameOf: (role: string) => string;
  /** The address of the service, to which a path of the console is appended. */
  readonly consoleUrl: string;
  /** The whole id of the session, for addresses in the console. */
  readonly sessionId: string;
  /** The id of the session in printed commands: the whole id or a prefix. */
  readonly shownId: string;
  /** The id of the latest revision. Empty if there is none. */
  readonly latestRevision: string;
  /** The latest event in the answer that is printed. */
  readonly seen: Seen;
  /** The command line that runs this program, such as `npx parley`. */
  readonly program: string;
  /** Whether the session has ended. */
  readonly isOver: boolean;
}

/** The command that shows a record or a message of the session. */
export const showCommand = ({ program, shownId }: RecordPlace, id: string | number): string =>
  `${program} show ${shownId} ${shellWord(String(id))}`;
