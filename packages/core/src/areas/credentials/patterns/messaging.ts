import { type CredentialPattern, likelyToken, marked, named, token } from '../pattern.ts';

/** Whether a text begins with the Base64 form of a decimal number, as Discord's bot tokens do. */
const beginsWithNumber = (secret: string): boolean =>
  /^\d{15,21}$/.test(Buffer.from(secret.split('.')[0] ?? '', 'base64url').toString('latin1'));

/** Possible first characters of the Base64 form of a decimal number. */
const NUMBER_STARTS = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'];
const HEX_DIGITS = [...'0123456789abcdef'];

const WEBHOOKS: readonly CredentialPattern[] = [
  {
    kind: 'Slack webhook',
    certainty: 'certain',
    starts: ['hooks.slack.com/'],
    at: 'anywhere',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,14}\/[A-Z0-9]{8,20}\/[A-Za-z0-9/]{16,80}/y,
  },
  {
    kind: 'Discord webhook',
    certainty: 'certain',
    starts: ['/api/webhooks/'],
    at: 'anywhere',
    pattern: /(?<=discord(?:app)?\.com)\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{50,100}/y,
  },
  {
    kind: 'Teams webhook',
    certainty: 'certain',
    starts: ['webhook.office.com/'],
    at: 'anywhere',
    pattern:
      /webhook\.office\.com\/webhookb2\/[0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36}/y,
  },
];

const CHATS: readonly CredentialPattern[] = [
  token(
    'Slack token',
    [...'abeoprs'].map((form) => `xox${form}-`),
    '[A-Za-z0-9.-]{20,250}',
  ),
  token('Slack token', ['xapp-', 'xoxe.xoxp-', 'xoxe.xoxb-'], '\\d-[A-Za-z0-9-]{20,250}'),
  {
    ...token('Discord token', NUMBER_STARTS, '[A-Za-z0-9_-]{22,26}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,45}'),
    isReal: ({ secret }, certainty) => certainty === 'likely' || beginsWithNumber(secret),
  },
  marked({
    kind: 'Telegram token',
    marks: [':AA'],
    before: '\\d{8,10}',
    rest: ':AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])',
  }),
];

/** Credentials of messaging, mail and telephone services. */
export const MESSAGING: readonly CredentialPattern[] = [
  ...CHATS,
  ...WEBHOOKS,
  token('SendGrid key', 'SG.', '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,60}'),
  token('Mailgun key', 'key-', '[0-9a-f]{32}'),
  marked({
    kind: 'Mailgun key',
    marks: HEX_DIGITS.map((digit) => `-${digit}`),
    before: '([0-9a-f]{32})',
    rest: '-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])',
  }),
  marked({ kind: 'Mailchimp key', marks: ['-us'], before: '([0-9a-f]{32})', rest: '-us\\d{1,2}(?![A-Za-z0-9])' }),
  token('Brevo key', ['xkeysib-', 'xsmtpsib-'], '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  token('Resend key', 're_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}'),
  likelyToken('Twilio key', 'SK', '[0-9a-f]{32}'),
  {
    kind: 'Twilio auth token',
    certainty: 'certain',
    ...named(['twilio'], 'twilio[a-z_. -]{0,12}(?:token|secret)', '([0-9a-f]{32})(?![0-9a-f])'),
  },
];
