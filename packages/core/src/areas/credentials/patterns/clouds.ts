import { type CredentialPattern, likelyToken, marked, named, token } from '../pattern.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const AMAZON: readonly CredentialPattern[] = [
  token('AWS access key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z0-9]{16}'),
  token('AWS session token', ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz'], '[A-Za-z0-9+/=%]{60,2000}'),
  token('AWS Bedrock key', 'ABSK', '[A-Za-z0-9+/]{100,300}'),
  {
    kind: 'AWS secret key',
    certainty: 'certain',
    ...named(
      ['aws', 'amazon', 'secret'],
      '(?:aws|amazon|secret)[ _.-]?(?:secret)?[ _.-]?(?:access)?[ _.-]?key',
      '([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])',
    ),
  },
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
  {
    kind: 'Azure storage key',
    certainty: 'certain',
    starts: ['AccountKey='],
    at: 'anywhere',
    pattern: /AccountKey=([A-Za-z0-9+/]{60,86}={1,2})/y,
  },
  {
    kind: 'Azure shared access key',
    certainty: 'certain',
    starts: ['SharedAccessKey='],
    at: 'anywhere',
    pattern: /SharedAccessKey=([A-Za-z0-9+/]{43}=)/y,
  },
  {
    kind: 'Azure shared access signature',
    certainty: 'certain',
    starts: ['sig='],
    at: 'anywhere',
    pattern: /(?<=[?&;])sig=([A-Za-z0-9%+/_-]{40,200}(?:=|%3[Dd])?)/y,
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

export const CLOUDS: readonly CredentialPattern[] = [
  ...AMAZON,
  ...GOOGLE,
  ...AZURE,
  token('Alibaba access key', 'LTAI', '[A-Za-z0-9]{20}'),
  token('Tencent secret id', 'AKID', '[A-Za-z0-9]{32}'),
  token('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[0-9a-f]{64}'),
  token('Cloudflare origin key', 'v1.0-', '[0-9a-f]{24}-[0-9a-f]{146}'),
  token('Cloudflare token', ['cfut_', 'cfat_', 'cfk_'], '[A-Za-z0-9_-]{40,100}'),
  {
    kind: 'Cloudflare token',
    certainty: 'certain',
    ...named(['cloudflare'], 'cloudflare[a-z_. -]{0,30}', '([A-Za-z0-9_-]{37,45})'),
  },
  token('Heroku key', 'HRKU-', '[A-Za-z0-9_-]{36,100}'),
  {
    kind: 'Heroku key',
    certainty: 'certain',
    ...named(['heroku'], 'heroku[a-z_. -]{0,12}(?:key|token)', `(${UUID})`),
  },
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
