/** The table of all kinds of credentials that are found: one list, whose entries differ by vendor alone. */

import {
  anywhere,
  type CredentialPattern,
  type Found,
  isAddressPassword,
  isKeyText,
  isPassword,
  likelyToken,
  looksRandom,
  marked,
  named,
  token,
} from './pattern.ts';

/** Patterns for passwords in addresses and in command lines. */
const ADDRESSES: readonly CredentialPattern[] = [
  {
    ...anywhere(
      'password in an address',
      '://',
      /:\/\/[^\s:@/?#"'<>`\\]{0,100}:([^\s@/"'<>`\\]{3,200})@(?=[A-Za-z0-9[])/y,
    ),
    samples: 'placeholders',
    isReal({ secret, text, start }) {
      const user = text.slice(start + 3, text.indexOf(':', start + 3));
      return isAddressPassword(secret, user);
    },
  },
  {
    ...anywhere(
      'password on a command line',
      [' -u ', ' --user ', ' --user=', 'sshpass -p'],
      /(?: (?:-u|--user)[ =]["']?[A-Za-z0-9_.@-]{1,60}:|sshpass -p ?["']?)([^\s"'$<>*]{4,100})/y,
    ),
    certainty: 'likely',
    isReal: ({ secret }) => isPassword(secret),
  },
  {
    ...anywhere(
      'secret on a command line',
      ['--pass', '--token', '--secret', '--api-key', '--auth-token', '--access-token', '--client-secret'],
      /--(?:password|pass|token|secret|api-key|auth-token|access-token|client-secret)[ =]["']?([^\s"'$<>(){}]{6,200})/y,
    ),
    certainty: 'likely',
    isReal: ({ secret }) => isPassword(secret),
  },
];

const VALUE = String.raw`([^\s"'${'`'},;&<>(){}[\]\\|]{6,200})`;

/**
 * Matches the text before a word such as `token` if both together name a value that grants no access, such as
 * `page_token`.
 */
const OPENS_NOTHING =
  /(?:next|page|paging|continu\w{2,6}|sync|cancel\w{0,6}|cursor|request|idempotency|trace|lock|fencing|csrf|xsrf|sort|public|design|bos|eos|pad|unk|max|min|num)[_. -]?$/i;
const LOOK_BACK_CHARS = 16;

const opensNothing = ({ text, start }: Found): boolean =>
  OPENS_NOTHING.test(text.slice(Math.max(0, start - LOOK_BACK_CHARS), start));

/** Whether a bracket follows the value. Such a value is the name of a function or an array in code. */
const isCode = ({ text, end }: Found): boolean => text[end] === '(' || text[end] === '[';

const isSecret = (found: Found): boolean => !isCode(found) && isKeyText(found.secret) && !opensNothing(found);

/** Whether a cookie has a long value of letters and digits. */
function isSecretPair(pair: string): boolean {
  const [name = '', value = ''] = pair.trim().split('=', 2);
  return value.length >= LEAST_COOKIE_CHARS && !/^_ga|expires/i.test(name) && isKeyText(value);
}

const LEAST_COOKIE_CHARS = 16;

function isBasicLogin(value: string): boolean {
  const [user, password] = Buffer.from(value, 'base64').toString('latin1').split(':', 2);
  return Boolean(
    user && password && /^[\x20-\x7e]{2,400}$/.test(user + password) && !/^pass(?:word)?$/i.test(password),
  );
}

const KEY_OF =
  '(?<=(?:api|access|auth|account|private|signing|encryption|master|service|role|app|application|secret)[_. -]?)key';
const SUFFIX = '(?:[_-]?(?:access[_-]?key|key[_-]?base|key|value|base))?';

const HEADERS: readonly CredentialPattern[] = [
  {
    ...named(
      'Authorization header',
      ['authorization'],
      'authorization',
      '(?:bearer|token|apikey|api-key|key|splunk|genie\\w{0,3})\\s{1,3}([A-Za-z0-9._~+/=:-]{10,2000})',
    ),
    samples: 'placeholders',
    isReal: ({ secret }) => isKeyText(secret),
  },
  {
    kind: 'Authorization header',
    samples: 'placeholders',
    starts: ['basic '],
    at: 'name',
    pattern: /(?<![A-Za-z])basic {1,3}([A-Za-z0-9+/]{8,400}={0,2})/iy,
    isReal: ({ secret }) => isBasicLogin(secret),
  },
  {
    kind: 'bearer token',
    certainty: 'likely',
    starts: ['bearer '],
    at: 'name',
    pattern: /bearer {1,3}([A-Za-z0-9._~+/=-]{16,2000})/iy,
    isReal: ({ secret }) => isKeyText(secret),
  },
  {
    ...named('cookie', ['cookie'], 'cookie', '([^\\r\\n"\'\\\\]{16,1000})'),
    samples: 'placeholders',
    isReal: ({ secret }) => secret.split(';').some(isSecretPair),
  },
];

/** Patterns for values that count as secrets because of the name before them, such as `password=`. */
const ASSIGNMENTS: readonly CredentialPattern[] = [
  ...HEADERS,
  {
    ...named(
      'password',
      ['passw', 'passphrase', 'passcode', 'pwd', '_pass'],
      '(?:passw(?:or)?d|passphrase|passcode|pwd|_pass)(?:[_-]?value)?',
      VALUE,
    ),
    certainty: 'likely',
    isReal: (found) => !isCode(found) && isPassword(found.secret),
  },
  {
    ...named(
      'secret',
      ['secret', 'token', 'credential', 'key'],
      `(?:secret|token|credentials?|${KEY_OF})${SUFFIX}`,
      VALUE,
    ),
    certainty: 'likely',
    isReal: isSecret,
  },
];

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const AMAZON: readonly CredentialPattern[] = [
  token('AWS access key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z0-9]{16}'),
  token('AWS session token', ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz'], '[A-Za-z0-9+/=%]{60,2000}'),
  token('AWS Bedrock key', 'ABSK', '[A-Za-z0-9+/]{100,300}'),
  named(
    'AWS secret key',
    ['aws', 'amazon', 'secret'],
    '(?:aws|amazon|secret)[ _.-]?(?:secret)?[ _.-]?(?:access)?[ _.-]?key',
    '([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])',
  ),
];

const GOOGLE: readonly CredentialPattern[] = [
  token('Google API key', 'AIza', '[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'),
  token('Google OAuth secret', 'GOCSPX-', '[A-Za-z0-9_-]{28}'),
  token('Google OAuth token', 'ya29.', '[A-Za-z0-9_-]{40,500}'),
  token('Google refresh token', '1//0', '[A-Za-z0-9_-]{40,200}'),
];

const hasSignatureFields = (parameters: string): boolean => /[?&]s[ervpt]=/.test(parameters);
const SIGNATURE_CHARS = 300;

const AZURE: readonly CredentialPattern[] = [
  anywhere('Azure storage key', 'AccountKey=', /AccountKey=([A-Za-z0-9+/]{60,86}={1,2})/y),
  anywhere('Azure shared access key', 'SharedAccessKey=', /SharedAccessKey=([A-Za-z0-9+/]{43}=)/y),
  {
    ...anywhere('Azure shared access signature', 'sig=', /(?<=[?&;])sig=([A-Za-z0-9%+/_-]{40,200}(?:=|%3[Dd])?)/y),
    isReal: ({ text, start, end }) =>
      hasSignatureFields(text.slice(Math.max(0, start - SIGNATURE_CHARS), end + SIGNATURE_CHARS)),
  },
  marked({
    kind: 'Azure AD client secret',
    marks: ['Q~'],
    before: '[A-Za-z0-9_~.-]{3}\\d',
    rest: 'Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])',
  }),
  marked({
    kind: 'Azure DevOps token',
    marks: ['AZDO'],
    before: '([A-Za-z0-9]{76})',
    rest: 'AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])',
  }),
];

const CLOUDS: readonly CredentialPattern[] = [
  ...AMAZON,
  ...GOOGLE,
  ...AZURE,
  token('Alibaba access key', 'LTAI', '[A-Za-z0-9]{20}'),
  token('Tencent secret id', 'AKID', '[A-Za-z0-9]{32}'),
  token('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[0-9a-f]{64}'),
  token('Cloudflare origin key', 'v1.0-', '[0-9a-f]{24}-[0-9a-f]{146}'),
  token('Cloudflare token', ['cfut_', 'cfat_', 'cfk_'], '[A-Za-z0-9_-]{40,100}'),
  named('Cloudflare token', ['cloudflare'], 'cloudflare[a-z_. -]{0,30}', '([A-Za-z0-9_-]{37,45})'),
  token('Heroku key', 'HRKU-', '[A-Za-z0-9_-]{36,100}'),
  named('Heroku key', ['heroku'], 'heroku[a-z_. -]{0,12}(?:key|token)', `(${UUID})`),
  token('Vercel token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], '[A-Za-z0-9]{24,100}'),
  token('Netlify token', ['nfp_', 'nfo_', 'nfc_', 'nfb_'], '[A-Za-z0-9]{36,60}'),
  token('Fly token', ['fo1_', 'fm1r_', 'fm1a_', 'fm2_'], '[A-Za-z0-9+/=_-]{40,2000}'),
  token('Render key', 'rnd_', '[A-Za-z0-9]{24,60}'),
  token('Railway token', 'rlwy_', '[A-Za-z0-9_-]{24,100}'),
  token('Deno Deploy token', ['ddp_', 'ddw_'], '[A-Za-z0-9]{36}'),
  token('OpenShift token', 'sha256~', '[A-Za-z0-9_-]{43}'),
  token('Tailscale key', 'tskey-', '[A-Za-z0-9-]{16,100}'),
  likelyToken('Yandex key', ['AQVN', 'y0_'], '[A-Za-z0-9_-]{35,100}'),
];

const GITLAB = ['pat', 'dt', 'rt', 'rtr', 'cbt', 'ptt', 'ft', 'agent', 'imt', 'oas', 'soat', 'ffct', 'wt'];

/** Credentials of code hosts, build services and package registries. */
const CODE_HOSTS: readonly CredentialPattern[] = [
  {
    ...token('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9]{20,255}'),
    isReal: ({ secret }, certainty) => certainty === 'likely' || secret.length >= 40,
  },
  token('GitHub token', 'github_pat_', '[A-Za-z0-9_]{40,255}'),
  token('GitLab token', [...GITLAB.map((form) => `gl${form}-`), 'GR1348941'], '[A-Za-z0-9_.-]{20,300}'),
  token('Bitbucket app password', 'ATBB', '[A-Za-z0-9]{32,40}'),
  token('Atlassian token', ['ATATT3', 'ATCTT3', 'ATSTT3'], '[A-Za-z0-9_=.-]{40,300}'),
  token('CircleCI token', ['CCIPAT_', 'CCIPRJ_'], '[A-Za-z0-9]{10,40}_[0-9a-f]{40}'),
  token('Buildkite token', ['bkua_', 'bkat_', 'bkct_', 'bkrt_'], '[0-9a-f]{40}'),
  token('SonarQube token', ['squ_', 'sqp_', 'sqa_'], '[0-9a-f]{40}'),
  token('Sourcegraph token', 'sgp_', '(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}'),
  token('Pulumi token', 'pul-', '[0-9a-f]{40}'),
  marked({
    kind: 'Terraform Cloud token',
    marks: ['.atlasv1.'],
    before: '[A-Za-z0-9]{14}',
    rest: '\\.atlasv1\\.[A-Za-z0-9_=-]{50,100}',
  }),
  token('Docker Hub token', ['dckr_pat_', 'dckr_oat_'], '[A-Za-z0-9_-]{20,100}'),
  token('JFrog key', 'AKCp', '[A-Za-z0-9]{60,100}'),
  token('JFrog token', 'cmVmdGtu', '[A-Za-z0-9]{50,100}'),
  token('npm token', 'npm_', '[A-Za-z0-9]{36}'),
  token('PyPI token', 'pypi-AgE', '[A-Za-z0-9_-]{40,300}'),
  token('RubyGems key', 'rubygems_', '[0-9a-f]{48}'),
  token('crates.io token', 'cio', '[A-Za-z0-9]{32}'),
  token('NuGet key', 'oy2', '[a-z0-9]{43}'),
  token('Clojars token', 'CLOJARS_', '[a-z0-9]{60}'),
];

/** Credentials of payment services, shops and office tools. */
const COMMERCE: readonly CredentialPattern[] = [
  token('Stripe key', ['sk_live_', 'rk_live_'], '[A-Za-z0-9]{16,200}'),
  likelyToken('Stripe test key', ['sk_test_', 'rk_test_'], '[A-Za-z0-9]{16,200}'),
  token('webhook secret', 'whsec_', '[A-Za-z0-9+/=]{24,100}'),
  token('Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'], '[0-9a-fA-F]{32}'),
  token('Square token', ['sq0atp-', 'sq0csp-'], '[A-Za-z0-9_-]{22,60}'),
  token('Square token', 'EAAA', '[A-Za-z0-9_-]{60}'),
  token('Facebook token', 'EAA', '[A-Za-z0-9]{100,400}'),
  token('Flutterwave key', ['FLWSECK-', 'FLWSECK_TEST-'], '[0-9a-f]{32}-X'),
  token('Braintree token', 'access_token$production$', '[0-9a-z]{16}\\$[0-9a-f]{32}'),
  token('Plaid token', 'access-production-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  token('Shippo token', 'shippo_live_', '[0-9a-f]{40}'),
  token('EasyPost key', 'EZAK', '[A-Za-z0-9]{54}'),
  token('Linear key', ['lin_api_', 'lin_oauth_'], '[A-Za-z0-9]{32,80}'),
  token('Notion token', 'ntn_', '[A-Za-z0-9]{40,60}'),
  token('Notion token', 'secret_', '[A-Za-z0-9]{43}'),
  token('Postman key', 'PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'),
  token('Figma token', ['figd_', 'figu_', 'figo_'], '[A-Za-z0-9_-]{40,60}'),
  token('Dropbox token', 'sl.', '(?:u\\.)?[A-Za-z0-9_-]{100,2000}'),
  token('HubSpot token', ['pat-na1-', 'pat-na2-', 'pat-eu1-'], '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  token('Contentful token', 'CFPAT-', '[A-Za-z0-9_-]{43}'),
  token('Typeform token', 'tfp_', '[A-Za-z0-9_.-]{40,80}'),
  token('ClickUp token', 'pk_', '\\d{6,10}_[A-Z0-9]{32}'),
  token('Mapbox token', 'sk.eyJ', '[A-Za-z0-9_-]{40,300}\\.[A-Za-z0-9_-]{20,30}'),
  token('Frame.io token', 'fio-u-', '[A-Za-z0-9_-]{64}'),
  token('ReadMe key', 'rdme_', '[a-z0-9]{70}'),
];

/** Credentials of databases, vaults and monitoring services. */
const DATA_STORES: readonly CredentialPattern[] = [
  token('Databricks token', ['dapi', 'dkea', 'dose'], '[0-9a-f]{32}'),
  token('Vault token', ['hvs.', 'hvb.', 'hvr.'], '[A-Za-z0-9_-]{24,300}'),
  token(
    'Doppler token',
    ['pt', 'st', 'ct', 'sa', 'scim', 'audit'].map((form) => `dp.${form}.`),
    '[A-Za-z0-9._-]{40,100}',
  ),
  token('1Password token', 'ops_eyJ', '[A-Za-z0-9_-]{100,2000}'),
  token(
    '1Password secret key',
    'A3-',
    '[A-Z0-9]{6}-[A-Z0-9]{5,6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?',
  ),
  token('Supabase token', 'sbp_', '[0-9a-f]{40}'),
  token('Supabase secret key', 'sb_secret_', '[A-Za-z0-9_-]{20,100}'),
  token('PlanetScale token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[A-Za-z0-9_=.-]{32,100}'),
  token('Neon key', 'napi_', '[a-z0-9]{40,80}'),
  token('Airtable token', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  token('Grafana token', 'glsa_', '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}'),
  token('Grafana token', 'glc_', '[A-Za-z0-9+/=]{32,400}'),
  token('Grafana key', 'eyJrIjoi', '[A-Za-z0-9]{60,400}'),
  token('New Relic key', ['NRAK-', 'NRJS-', 'NRII-', 'NRSP-', 'NRRA-'], '[A-Za-z0-9_-]{19,60}'),
  marked({ kind: 'New Relic license key', marks: ['NRAL'], before: '([0-9a-f]{36})', rest: 'NRAL(?![A-Za-z0-9])' }),
  named(
    'Datadog key',
    ['dd_', 'dd-', 'dd.', 'dd ', 'ddap', 'datadog'],
    '(?:dd|datadog)[ _.-]?(?:api|app|application)[ _.-]?key',
    '([0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-f])',
  ),
  token('Datadog key', ['ddapp_', 'ddpat_'], '[A-Za-z0-9]{34,60}'),
  token('Sentry token', 'sntrys_', '[A-Za-z0-9+/=_-]{40,500}'),
  token('Sentry token', 'sntryu_', '[0-9a-f]{64}'),
  token('Dynatrace token', 'dt0c01.', '[A-Z2-7]{24}\\.[A-Z2-7]{64}'),
  token('Honeycomb key', ['hcaik_', 'hcxik_', 'hcbik_', 'hcamk_'], '[a-z0-9]{32,70}'),
  token('PostHog key', ['phx_', 'phs_'], '[A-Za-z0-9_]{40,60}'),
  token('Snyk token', 'snyk_uat.', '[a-z0-9]{8}\\.[A-Za-z0-9_.-]{30,100}'),
];

const LOOK_CHARS = 120;
/** The characters between two lines of a key that is part of a log, a diff, a JSON text or source code. */
const BETWEEN_LINES = /(?:\\+[nrt]|\n[+-]|[\s"'`,>|\\])+/g;
const BODY_BEGINS = /^(?:\\+[nrt]|\n[+-]|[\s"'`,>|\\]){0,12}[A-Za-z0-9+/]{4}/;
const KEY_HEADER = /^(?:Proc-Type|Version|Comment|Charset|Hash):/;

/** The Base64 text after the header of a key, without its line breaks. */
const bodyAfter = ({ text, end }: Found): string => text.slice(end, end + LOOK_CHARS).replace(BETWEEN_LINES, '');

const LEAST_BODY_CHARS = 12;

function hasBody(found: Found): boolean {
  if (!BODY_BEGINS.test(found.text.slice(found.end, found.end + 24))) return false;
  const body = bodyAfter(found);
  if (KEY_HEADER.test(body)) return true;
  const base64 = /^[A-Za-z0-9+/=]{0,120}/.exec(body)?.[0] ?? '';
  return base64.length >= LEAST_BODY_CHARS && looksRandom(base64);
}

/** Private keys, and tokens that are signed with private keys. */
const KEYS: readonly CredentialPattern[] = [
  {
    ...anywhere(
      'private key',
      ['-----BEGIN ', '---- BEGIN SSH2 ENCRYPTED'],
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/y,
    ),
    samples: 'placeholders',
    isReal: hasBody,
  },
  {
    ...anywhere('PuTTY private key', 'Private-Lines:', /Private-Lines: \d{1,3}/y),
    samples: 'placeholders',
    isReal: hasBody,
  },
  {
    ...anywhere('private JSON Web Key', ['"d"', '"d\\'], /"d\\?"\s{0,3}:\s{0,3}\\?"([A-Za-z0-9_-]{40,700})/y),
    samples: 'placeholders',
    isReal: ({ secret }) => looksRandom(secret),
  },
  token('age key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  {
    kind: 'JSON Web Token',
    samples: 'placeholders',
    starts: ['eyJ'],
    at: 'word',
    pattern: /(?<![_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{10,1000}/y,
  },
  {
    kind: 'encrypted JSON Web Token',
    samples: 'placeholders',
    starts: ['eyJ'],
    at: 'word',
    pattern:
      /(?<![_.-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{0,700}\.[A-Za-z0-9_-]{12,32}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{16,64}/y,
  },
];

/** Whether a text begins with the Base64 form of a decimal number, as Discord's bot tokens do. */
const beginsWithNumber = (secret: string): boolean =>
  /^\d{15,21}$/.test(Buffer.from(secret.split('.')[0] ?? '', 'base64url').toString('latin1'));

/** Possible first characters of the Base64 form of a decimal number. */
const NUMBER_STARTS = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'];
const HEX_DIGITS = [...'0123456789abcdef'];

const WEBHOOKS: readonly CredentialPattern[] = [
  anywhere(
    'Slack webhook',
    'hooks.slack.com/',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,14}\/[A-Z0-9]{8,20}\/[A-Za-z0-9/]{16,80}/y,
  ),
  anywhere(
    'Discord webhook',
    '/api/webhooks/',
    /(?<=discord(?:app)?\.com)\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{50,100}/y,
  ),
  anywhere(
    'Teams webhook',
    'webhook.office.com/',
    /webhook\.office\.com\/webhookb2\/[0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36}/y,
  ),
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
const MESSAGING: readonly CredentialPattern[] = [
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
  named('Twilio auth token', ['twilio'], 'twilio[a-z_. -]{0,12}(?:token|secret)', '([0-9a-f]{32})(?![0-9a-f])'),
];

/** Credentials of services that run language models. */
const MODELS: readonly CredentialPattern[] = [
  token(
    'Anthropic key',
    ['sk-ant-api', 'sk-ant-admin', 'sk-ant-oat', 'sk-ant-ort', 'sk-ant-sid'],
    '\\d\\d-[A-Za-z0-9_-]{40,200}',
  ),
  token('OpenAI key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-service-'], '[A-Za-z0-9_-]{40,250}'),
  token('OpenAI key', 'sk-', '[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}'),
  token('OpenRouter key', 'sk-or-', 'v1-[0-9a-f]{64}'),
  token('Langfuse key', 'sk-lf-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  token('secret key', 'sk-', '[A-Za-z0-9]{32,100}'),
  likelyToken('secret key', 'sk-', '[A-Za-z0-9_-]{24,250}'),
  token('Hugging Face token', 'hf_', '[A-Za-z0-9]{30,60}'),
  token('Hugging Face token', 'api_org_', '[A-Za-z0-9]{34}'),
  token('Replicate token', 'r8_', '[A-Za-z0-9]{37}'),
  token('Groq key', 'gsk_', '[A-Za-z0-9]{40,80}'),
  token('xAI key', 'xai-', '[A-Za-z0-9]{60,100}'),
  token('Perplexity key', 'pplx-', '[A-Za-z0-9]{40,60}'),
  token('LangSmith key', ['lsv2_pt_', 'lsv2_sk_'], '[0-9a-f]{32}_[0-9a-f]{10}'),
  token('NVIDIA key', 'nvapi-', '[A-Za-z0-9_-]{50,100}'),
];

/** Spec 5.12. Credentials of Parley: session tokens, invitation codes, owner keys and keys that sign certificates. */
const OWN: readonly CredentialPattern[] = [
  { ...token('Parley token', 'prt_', '[A-Za-z0-9_-]{16,200}'), samples: 'none' },
  token('Parley invitation code', 'pinv_', '[A-Za-z0-9]{40,200}'),
  token('Parley owner key', 'pok_', '[A-Za-z0-9_-]{32,200}'),
  token('Parley certificate key', 'certkey_', '[A-Za-z0-9+/]{43}='),
];

/** If several patterns match at the same place, the first pattern in this list determines the reported kind. */
export const CREDENTIAL_PATTERNS: readonly CredentialPattern[] = [
  ...OWN,
  ...KEYS,
  ...CODE_HOSTS,
  ...CLOUDS,
  ...DATA_STORES,
  ...MODELS,
  ...MESSAGING,
  ...COMMERCE,
  ...ADDRESSES,
  ...ASSIGNMENTS,
];
