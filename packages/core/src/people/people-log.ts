import { PEOPLE_LOG } from '../kernel/person.ts';
import { type OwnLog, type OwnLogParts, openOwnLog } from '../kernel/session/own-log.ts';
import { type PeopleDraft, type PeopleState, peopleDomain } from './state.ts';

export type PeopleLog = OwnLog<PeopleState, PeopleDraft>;

/** Opens the log of people. The storage contains the log only after its first event is stored. */
export const openPeopleLog = (
  parts: Pick<OwnLogParts<PeopleState>, 'storage' | 'clock' | 'random' | 'onState'>,
): PeopleLog => openOwnLog({ ...parts, domain: peopleDomain, sessionId: PEOPLE_LOG.sessionId, about: 'people' });
