import type { Answer } from '@parley/core/client';
import { counted, plural } from '@parley/core/text';
import type { Command } from 'commander';
import { UNLIMITED } from '../../text/page.ts';
import { serverNow } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { sessionIds } from '../client/all-sessions.ts';
import { connectOwner } from '../client/owner-client.ts';
import { shownId } from '../client/shown-id.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { nextCell, rowLines } from './sessions.ts';

type GroupSession = Answer<'group'>['sessions'][number];

export function addGroup(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('group')
      .description('Show the sessions of a group: where each stands, its contract, and what stops its release.'),
  )
    .argument('<name>', 'the name of the group, as `parley create --group` set it')
    .addHelpText(
      'after',
      `
Example:
  parley group checkout

contract: the latest revision, and APPROVED once you have approved it. release: certified if all certification checks are met,
deployed once the deployment is authorized; otherwise the number of reasons that stop it, which are listed below the table.`,
    );
  command.action(async (name: string) => {
    const client = await connectOwner(terminal);
    const answer = await client.call('group', { name });
    const ids = terminal.columns === UNLIMITED ? [] : await sessionIds(client);
    printAnswer(terminal, command, answer, () => groupLines(name, answer.sessions, { terminal, ids }));
  });
}

interface Context {
  readonly terminal: Terminal;
  /** The ids of all sessions, sorted. Empty for whole ids. */
  readonly ids: readonly string[];
}

function groupLines(name: string, sessions: readonly GroupSession[], { terminal, ids }: Context): string[] {
  const { columns, program } = terminal;
  const now = serverNow();
  const idOf = ({ session }: GroupSession): string => shownId(session.session_id, ids);
  const rows = sessions.map((one) => [
    idOf(one),
    one.session.status === 'ACTIVE' ? one.session.phase : `${one.session.status} ${one.session.phase}`,
    one.contract ? `${one.contract.revision_id} ${one.contract.status}` : '-',
    releaseText(one),
    nextCell(one.session, now, UNLIMITED) || '-',
    one.session.title,
  ]);
  const heads = ['session', 'phase', 'contract', 'release', 'next', 'title'];
  const shortenedCell = (row: number, width: number): string => {
    const session = sessions[row]?.session;
    return (session && nextCell(session, now, width)) || '-';
  };
  const ready = sessions.filter(({ stops }) => stops.length === 0).length;
  const stopped = sessions.filter(({ stops }) => stops.length > 0);
  const read = sessions.find(({ contract }) => contract?.status === 'APPROVED');
  return [
    ...wrapText(
      `Group ${visibleLine(name)}: ${plural(sessions.length, 'session')}, ${counted(ready, 'is', 'are')} certified or deployed.`,
      columns,
    ),
    '',
    ...rowLines({ heads, rows, shortenedCell }, terminal),
    ...stopped.flatMap((one) => [
      '',
      ...wrapText(`${idOf(one)} ${visibleLine(one.session.title)} is stopped by:`, columns),
      ...one.stops.flatMap((text) => wrapText(`- ${visibleLine(text)}`, columns - 2).map((line) => `  ${line}`)),
    ]),
    ...(read ? ['', `To read an approved contract: ${program} plan ${idOf(read)}`] : []),
  ];
}

function releaseText({ deployment_authorized, certified, stops }: GroupSession): string {
  if (stops.length > 0) return `stopped by ${stops.length}`;
  return deployment_authorized ? 'deployed' : certified ? 'certified' : '-';
}
