import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import type { BriefAnswer } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { hasRole } from '../../state/me.ts';
import { addSender } from '../../state/pending-marks.ts';
import { useRead } from '../../ui/requests/use-read.ts';
import type { Section, SectionId } from './contract-model.ts';
import { watchSections } from './watch-sections.ts';

/** Marks of read sections are collected for this time and then sent together. */
const BATCH_MS = 1_500;

export interface ReadMarks {
  /** False until the service has answered which sections the owner has read. */
  readonly isKnown: boolean;
  /**
   * The newest earlier revision of which the owner has read a section. Null if there is none, or before the service has
   * answered.
   */
  readonly since: string | null;
  /** Whether a section has changed since the revision `since` and is still unread. */
  readonly hasChanges: boolean;
  /**
   * Whether the owner has read the current text of a section. Undefined before the service has answered, and for
   * earlier revisions.
   */
  isRead(section: Section): boolean | undefined;
  /** Records that the owner has read a section. Does nothing for a viewer, who may not store read marks. */
  mark(section: Section): void;
}

/** Members of the contract whose marks are not sent yet, and the timer that sends them. */
interface Collected {
  readonly members: Set<string>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const nothingCollected = (): Collected => ({ members: new Set(), timer: undefined });

interface MarkedSections {
  readonly sections: readonly { readonly section: string; readonly read_at: string | null }[];
}

/**
 * Tracks which sections of the latest revision the owner has read. A section counts as read when the owner marks it, or
 * when it was on the screen long enough with its end visible.
 *
 * @param isLatest false for an earlier revision, whose sections cannot be marked
 */
export function useReadMarks(
  live: LiveSession,
  { revisionId, isLatest, sections }: { revisionId: string; isLatest: boolean; sections: readonly Section[] },
): ReadMarks {
  const path = isLatest ? `/sessions/${live.sessionId}/brief?stage=approval` : null;
  const { value: brief, error } = useRead<BriefAnswer>(path, live.version.value);
  /** Members of the contract that the owner has marked as read since the brief was loaded. */
  const read = useSignal<ReadonlySet<string>>(new Set());
  const unread = useMemo(
    () => (brief && brief.revision_id === revisionId ? new Set(brief.unread) : null),
    [brief, revisionId],
  );
  const sending = useRef(nothingCollected());
  /** Resolves when the service has answered the last call with marks. */
  const sent = useRef(Promise.resolve());

  const isUnread = (member: string): boolean => unread?.has(member) === true && !read.value.has(member);
  const send = async (): Promise<void> => {
    const members = [...sending.current.members];
    sending.current = nothingCollected();
    try {
      await post<MarkedSections>(`/sessions/${live.sessionId}/mark-read`, {
        revision_id: revisionId,
        sections: members,
      });
    } catch (error) {
      // The service has not stored the marks, so the sections are shown as unread again.
      if (!(error instanceof ApiError)) throw error;
      read.value = new Set([...read.value].filter((member) => !members.includes(member)));
    }
  };
  const mark = ({ members }: Section): void => {
    if (!hasRole('operator')) return;
    const news = members.filter(isUnread);
    if (news.length === 0) return;
    read.value = new Set([...read.value, ...news]);
    for (const member of news) sending.current.members.add(member);
    sending.current.timer ??= setTimeout(() => void sendNow(), BATCH_MS);
  };
  const sendNow = (): Promise<void> => {
    clearTimeout(sending.current.timer);
    if (sending.current.members.size > 0) sent.current = send();
    return sent.current;
  };
  const byScreen = useRef((_id: SectionId): void => undefined);
  byScreen.current = (id) => {
    const section = sections.find((one) => one.id === id);
    if (section) mark(section);
  };
  const key = unread
    ? sections
        .filter(({ members }) => members.some(isUnread))
        .map(({ id }) => id)
        .join(' ')
    : '';
  useEffect(
    () => watchSections(key === '' ? [] : (key.split(' ') as SectionId[]), (id) => byScreen.current(id)),
    [key],
  );
  useEffect(() => {
    const remove = addSender(sendNow);
    return () => {
      remove();
      // Sends the collected marks when the owner leaves the revision.
      void sendNow();
    };
  }, [revisionId]);
  return {
    isKnown: path === null || brief !== null || error !== null,
    since: unread && brief ? brief.since : null,
    hasChanges: unread !== null && brief?.since != null && brief.changes.some(({ section }) => unread.has(section)),
    isRead: ({ members }) => (unread && members.length > 0 ? !members.some(isUnread) : undefined),
    mark,
  };
}
