import { PEOPLE_LOG, verifyLog } from '@parley/core';
import { readLogLines } from '../../server/api/log-export.ts';
import type { OwnerClient } from '../client/owner-client.ts';
import { printLog } from '../sessions/export-log.ts';
import { printReport, withFault } from '../sessions/verify-log.ts';
import type { Terminal } from '../terminal.ts';

export const exportPeople = async (terminal: Terminal, client: OwnerClient, out: string | undefined): Promise<void> =>
  printLog(terminal, {
    url: client.url,
    logId: PEOPLE_LOG.sessionId,
    stream: await client.stream('exportPeopleLog'),
    out,
  });

/**
 * Verifies the log of people twice: this machine computes the hashes, and the server also detects events that are
 * missing at the end. A log without events is valid: it means that no person was added yet.
 */
export async function verifyPeople(terminal: Terminal, client: OwnerClient, json: boolean | undefined): Promise<void> {
  const log = readLogLines(await client.stream('exportPeopleLog'));
  const report = await verifyLog(log, undefined, PEOPLE_LOG.sessionId);
  const whole = report.ok ? withFault(report, await client.call('verifyPeopleLog')) : report;
  printReport(terminal, whole, { json, name: 'the log of people' });
}
