import type { Answer, EventBody, EventName } from '@parley/core/client';
import { describe, expect, test } from 'vitest';
import { auditText } from '../../src/transcript/audit-text.ts';
import { bodyOf } from './samples.ts';

type AuditEvent = Answer<'audit'>['events'][number];
const PLACE = { at: '2026-11-24T10:00:00.000Z', session_id: 's_1', title: 'Refunds', seq: 7, hash: '0'.repeat(64) };

const event = <K extends EventName>(kind: K, part: Partial<EventBody<K>>): AuditEvent =>
  ({ ...PLACE, person: null, kind, body: bodyOf(kind, part) }) as AuditEvent;

describe('an event of the audit', () => {
  test('has words for what the owner has read, although no transcript shows this event', () => {
    const sections = ['interfaces', 'tests'].map((section) => ({ section, sha256: '0'.repeat(64) }));
    const text = auditText(event('reading.recorded', { revision_id: 'r_2', sections, reader: 'owner' }));
    expect(text.heading).toBe('marks r_2 as read: interfaces, tests');
  });

  test('names at most three of the sections that the owner has read', () => {
    const headingOf = (names: readonly string[]) => {
      const sections = names.map((section) => ({ section, sha256: '0'.repeat(64) }));
      return auditText(event('reading.recorded', { revision_id: 'r_1', sections, reader: 'owner' })).heading;
    };
    const names = ['requirements', 'schema_version', 'title', 'summary', 'tests'];
    expect(headingOf(names)).toBe('marks r_1 as read: requirements, schema version, title, 2 more');
    expect(headingOf(names.slice(0, 4))).toBe('marks r_1 as read: requirements, schema version, title, summary');
  });

  test('names the agents of the session, if they are known', () => {
    const invited = event('invitation.created', { role: 'agent_b', code_prefix: 'pinv_1', expires_at: '2026-11-25' });
    expect(auditText(invited).heading).toBe('invites agent_b');
    expect(auditText(invited, (role) => `Ledger agent (${role})`).heading).toBe('invites Ledger agent (agent_b)');
  });

  test('of an unknown kind has the kind, and each member on a line', () => {
    const landed = { kind: 'moon.landed', body: { place: 'Tranquility', crew: ['Neil', 'Buzz'], steps: 2 } };
    const text = auditText({ ...PLACE, person: null, ...landed } as never);
    expect(text).toEqual({ heading: 'moon.landed', text: 'place: Tranquility\ncrew: ["Neil","Buzz"]\nsteps: 2' });
  });

  test.each([
    ['person.role_changed', 'viewer', 'What this person leaves behind: parley people role p_1 --role viewer'],
    ['person.role_changed', 'operator', 'What this person leaves behind: parley people role p_1 --role operator'],
    ['person.role_changed', 'approver', undefined],
    ['person.revoked', undefined, 'What this person leaves behind: parley people revoke p_1'],
  ] as const)('%s without a person who did it names the call that tells what is left: %s', (kind, role, text) => {
    const by = { person: { id: 'owner', name: 'Owner' } };
    const change = event(kind, { person_id: 'p_1', name: 'Ada', ...(role && { role }) });
    expect(auditText({ ...change, person: null }).text).toBe(text);
    expect(auditText({ ...change, ...by }).text).toBeUndefined();
  });
});
