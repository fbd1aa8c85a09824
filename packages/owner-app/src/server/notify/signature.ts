import { createHmac } from 'node:crypto';

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** Decodes the key in a secret. Undefined if the text is not a secret in the form of Standard Webhooks. */
export function signingKey(secret: string): Buffer | undefined {
  const text = SECRET.exec(secret)?.[1];
  const key = Buffer.from(text ?? '', 'base64');
  return key.length >= LEAST_BYTES && key.length <= MOST_BYTES ? key : undefined;
}

/** The exact text of a notice, and its id. All deliveries of a notice have the same id. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/**
 * The headers of a delivery, as in Standard Webhooks 1.0.0, with one signature for each secret.
 *
 * @param nowMs time of this delivery, in milliseconds since 1970
 */
export function signedHeaders(secrets: readonly string[], { id, body }: Message, nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.flatMap((secret) => {
    const key = signingKey(secret);
    return key ? [`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`] : [];
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
