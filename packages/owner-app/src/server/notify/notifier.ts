import { type Notice, type Owner, systemClock } from '@parley/core';
import { recordPath, sessionPath } from '../../text/record-address.ts';
import { type Deliveries, type SenderOptions, startDeliveries } from './deliveries.ts';
import { post, signedHeaders } from './post.ts';

/** Address and secrets of the webhook to which notices are sent. */
export interface Webhook {
  readonly url: string;
  /** Secrets in the form of Standard Webhooks (`whsec_…`). Each delivery has one signature for each secret. */
  readonly secrets: readonly string[];
}

export interface NotifierOptions extends SenderOptions {
  readonly owner: Pick<Owner, 'waitingSessions' | 'dueNotices' | 'recordNotice' | 'watchNotices'>;
  readonly webhook: Webhook;
}

/** Starts to send notices to a webhook in the background, until the returned deliveries are closed. */
export function startNotifier(options: NotifierOptions): Deliveries {
  const { owner, webhook, pageOf, log, clock = systemClock, random = Math.random } = options;
  return startDeliveries<Notice>({
    noun: 'a notice',
    nouns: 'notices',
    idOf: ({ notice_id }) => notice_id,
    sessions: owner.waitingSessions,
    due: owner.dueNotices,
    watch: owner.watchNotices,
    isKnown: (notice, outbox) => notice.kind === 'AGENT_ABSENT' || outbox.has(notice),
    send(notice, signal) {
      const message = { id: notice.notice_id, body: bodyOf(notice, pageOf) };
      const headers = signedHeaders(webhook.secrets, message, clock.now());
      return post({ url: webhook.url, headers, body: message.body }, clock, signal);
    },
    record: ({ session_id, wait_id, number }, unbroken) =>
      owner.recordNotice(session_id, { wait_id, number, unbroken }),
    ...{ clock, random, log },
  });
}

/**
 * The body of a notice. `record_url` is the console's address of the record that waits for the owner, and is absent if
 * there is no such record.
 */
function bodyOf(notice: Notice, pageOf: NotifierOptions['pageOf']): string {
  const { notice_id, wait_id: _wait, number: _number, ...content } = notice;
  const session = sessionPath(content.session_id);
  const record = recordPath(content.session_id, content.record.id);
  const urls = { url: pageOf(session), ...(record !== session && { record_url: pageOf(record) }) };
  return JSON.stringify({ type: 'owner.waiting', id: notice_id, ...content, ...urls });
}
