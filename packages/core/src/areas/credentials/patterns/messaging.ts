import { type CredentialPattern, likelyToken, token } from '../pattern.ts';

const TELEGRAM = String.raw`(?<![A-Za-z0-9])\d{8,10}:`;

/** Discord's tokens begin with the number of the bot. */
const beginsWithNumber = (secret: string): boolean => /^\d{15,21}$/.test(atobOrEmpty(secret.split('.')[0] ?? ''));

const atobOrEmpty = (text: string): string => Buffer.from(text, 'base64url').toString('latin1');

const WEBHOOKS: readonly CredentialPattern[] = [
  {
    kind: 'Slack webhook',
    certainty: 'certain',
    literals: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,14}\/[A-Z0-9]{8,20}\/[A-Za-z0-9/]{16,80}/g,
  },
  {
    kind: 'Discord webhook',
    certainty: 'certain',
    literals: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{50,100}/g,
  },
  {
    kind: 'Teams webhook',
    certainty: 'certain',
    literals: ['webhook.office.com/'],
    pattern: /webhook\.office\.com\/webhookb2\/[0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36}/g,
  },
];

/** Messages, mail and telephones. */
export const MESSAGING: readonly CredentialPattern[] = [
  token('Slack token', [...'abeoprs'].map((form) => `xox${form}-`), '[A-Za-z0-9.-]{20,250}'),
  token('Slack token', ['xapp-', 'xoxe.xoxp-', 'xoxe.xoxb-'], '\\d-[A-Za-z0-9-]{20,250}'),
  ...WEBHOOKS,
  {
    kind: 'Discord token',
    certainty: 'certain',
    pattern: /(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}/g,
    isReal: ({ secret }) => beginsWithNumber(secret),
  },
  {
    kind: 'Discord token',
    certainty: 'likely',
    pattern: /(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_.-])/g,
  },
  { kind: 'Telegram token', certainty: 'certain', literals: [':AA'], pattern: new RegExp(`${TELEGRAM}AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])`, 'g') },
  { kind: 'Telegram token', certainty: 'likely', pattern: new RegExp(`${TELEGRAM}[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`, 'g') },
  token('SendGrid key', 'SG.', '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,60}'),
  token('Mailgun key', 'key-', '[0-9a-f]{32}'),
  {
    kind: 'Mailgun key',
    certainty: 'certain',
    pattern: /(?<![A-Za-z0-9-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])/g,
  },
  {
    kind: 'Mailchimp key',
    certainty: 'certain',
    literals: ['-us'],
    pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g,
  },
  token('Brevo key', ['xkeysib-', 'xsmtpsib-'], '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  token('Resend key', 're_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}'),
  likelyToken('Twilio key', 'SK', '[0-9a-f]{32}'),
  {
    kind: 'Twilio auth token',
    certainty: 'certain',
    pattern: /twilio[a-z_. -]{0,20}(?:token|secret)["'\\\]]{0,4}\s{0,3}(?:=>|[=:])\s{0,3}[\\"'`]{0,2}([0-9a-f]{32})(?![0-9a-f])/gi,
  },
];
