import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ApiError, type BriefAnswer } from '../../api/answers.ts';
import { callKept, hasRole } from '../../api/client.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { useCall } from '../../ui/requests.tsx';
import { addSender, type Section, type SectionId } from './contract-model.ts';
import { watchSections } from './outline.tsx';

/** Marks of read sections are collected for this time and then sent together. */
const BATCH_MS = 1_500;

export interface ReadMarks {
  /** False until the service has answered which sections the owner has read. */
  readonly isKnown: boolean;
  /** The brief of the approval. Null before the service has answered, and for earlier revisions. */
  readonly brief: BriefAnswer | null;
  /** Members of the contract that the owner has not read. */
  readonly unread: readonly string[];
  /** Whether a section has changed since the revision that the owner read last, and was unread when `brief` was loaded. */
  readonly hasChanges: boolean;
  /**
   * Whether the owner has read the current text of a section. Undefined before the service has answered, and for
   * earlier revisions.
   */
  isRead(section: Section): boolean | undefined;
  /** Whether the mark of a section is not stored yet. */
  isSaving(section: Section): boolean;
  /** Stores at once that the owner has read a section. Does nothing for a viewer, who may not store read marks. */
  mark(section: Section): void;
}

/** Members of the contract whose marks are not sent yet, and the timer that sends them. */
interface Collected {
  readonly members: Set<string>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const nothingCollected = (): Collected => ({ members: new Set(), timer: undefined });

interface Stored {
  /** Members of the contract whose marks were stored since the revision was opened. */
  readonly read: ReadonlySet<string>;
  /** Members of the contract whose marks are not stored yet. */
  readonly saving: ReadonlySet<string>;
  /** Collects marks and sends them soon. */
  collect(members: readonly string[]): void;
  /** Sends the collected marks. Resolves when the service has answered all calls with marks. */
  sendNow(): Promise<void>;
}

const noMarks = () => ({
  read: signal<ReadonlySet<string>>(new Set()),
  saving: signal<ReadonlySet<string>>(new Set()),
});

/** Stores the marks of a revision. No mark is lost if the owner leaves the revision or the page. */
function useStoredMarks(sessionId: string, revisionId: string): Stored {
  const { read, saving } = useMemo(noMarks, [revisionId]);
  const sending = useRef(nothingCollected());
  const sent = useRef(Promise.resolve());
  const send = async (): Promise<void> => {
    const members = [...sending.current.members];
    sending.current = nothingCollected();
    try {
      await callKept(sessionId, 'markRead', {
        revision_id: revisionId,
        sections: members,
      });
      read.value = new Set([...read.value, ...members]);
    } catch (error) {
      // The service has not stored the marks, so the sections stay unread.
      if (!(error instanceof ApiError)) throw error;
    }
    saving.value = new Set([...saving.value].filter((member) => !members.includes(member)));
  };
  const sendNow = (): Promise<void> => {
    clearTimeout(sending.current.timer);
    if (sending.current.members.size > 0) sent.current = Promise.all([sent.current, send()]).then(() => undefined);
    return sent.current;
  };
  useEffect(() => {
    const remove = addSender(sendNow);
    const onLeave = (): void => void sendNow();
    addEventListener('pagehide', onLeave);
    return () => {
      remove();
      removeEventListener('pagehide', onLeave);
      onLeave();
    };
  }, [revisionId]);
  return {
    read: read.value,
    saving: saving.value,
    collect(members) {
      saving.value = new Set([...saving.value, ...members]);
      for (const member of members) sending.current.members.add(member);
      sending.current.timer ??= setTimeout(() => void sendNow(), BATCH_MS);
    },
    sendNow,
  };
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
  const asked = isLatest ? ({ session_id: live.sessionId, stage: 'approval' } as const) : null;
  const { value, error } = useCall('brief', asked, live.version.value);
  const brief = value?.revision_id === revisionId ? value : null;
  const { read, saving, collect, sendNow } = useStoredMarks(live.sessionId, revisionId);
  const unread = useMemo(() => (brief?.unread ?? []).filter((member) => !read.has(member)), [brief, read]);
  const isUnread = (member: string): boolean => unread.includes(member);
  const isMissing = (member: string): boolean => isUnread(member) && !saving.has(member);
  const see = ({ members }: Section): void => {
    const news = members.filter(isMissing);
    if (hasRole('operator') && news.length > 0) collect(news);
  };
  const byScreen = useRef((_id: SectionId): void => undefined);
  byScreen.current = (id) => {
    const section = sections.find((one) => one.id === id);
    if (section) see(section);
  };
  const key = brief
    ? sections
        .filter(({ members }) => members.some(isMissing))
        .map(({ id }) => id)
        .join(' ')
    : '';
  useEffect(
    () => watchSections(key === '' ? [] : (key.split(' ') as SectionId[]), (id) => byScreen.current(id)),
    [key],
  );
  return {
    isKnown: !isLatest || value !== null || error !== null,
    brief,
    unread,
    hasChanges: brief?.since != null && brief.changes.some(({ section }) => brief.unread.includes(section)),
    isRead: ({ members }) => (brief && members.length > 0 ? !members.some(isUnread) : undefined),
    isSaving: ({ members }) => members.some((member) => saving.has(member)),
    mark(section) {
      see(section);
      void sendNow();
    },
  };
}
