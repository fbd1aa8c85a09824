import { type CredentialPattern, likelyToken, token } from '../pattern.ts';

const AMAZON: readonly CredentialPattern[] = [
  token('AWS access key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z0-9]{16}'),
  token('AWS session token', ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz', 'FQoGZXIvYXdz'], '[A-Za-z0-9+/=%]{60,2000}'),
  token('AWS Bedrock key', 'ABSK', '[A-Za-z0-9+/]{100,300}'),
  {
    kind: 'AWS secret key',
    certainty: 'certain',
    pattern:
      /(?:aws|amazon|secret)[ _.-]?(?:secret|access)?[ _.-]?(?:access)?[ _.-]?key(?:[ _.-]?id)?["'\\\]]{0,4}\s{0,3}(?:=>|[=:])\s{0,3}[\\"'`]{0,2}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
];

const GOOGLE: readonly CredentialPattern[] = [
  token('Google API key', 'AIza', '[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'),
  token('Google OAuth secret', 'GOCSPX-', '[A-Za-z0-9_-]{28}'),
  token('Google OAuth token', 'ya29.', '[A-Za-z0-9_-]{40,500}'),
  token('Google refresh token', '1//0', '[A-Za-z0-9_-]{40,200}'),
];

const AZURE: readonly CredentialPattern[] = [
  { kind: 'Azure storage key', certainty: 'certain', literals: ['AccountKey='], pattern: /AccountKey=([A-Za-z0-9+/]{60,86}={1,2})/g },
  {
    kind: 'Azure shared access key',
    certainty: 'certain',
    literals: ['SharedAccessKey='],
    pattern: /SharedAccessKey=([A-Za-z0-9+/]{43}=)/g,
  },
  {
    kind: 'Azure shared access signature',
    certainty: 'certain',
    literals: ['sig='],
    pattern: /[?&;]sig=([A-Za-z0-9%+/_-]{40,200}(?:=|%3[Dd])?)/g,
    isReal: ({ text, start, end }) => /[?&]s[ervpt]=/.test(text.slice(Math.max(0, start - 400), end + 400)),
  },
  {
    kind: 'Azure AD client secret',
    certainty: 'certain',
    literals: ['Q~'],
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  {
    kind: 'Azure DevOps token',
    certainty: 'certain',
    literals: ['AZDO'],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g,
  },
];

/** Clouds and places that run programs. */
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
    pattern:
      /cloudflare[a-z_. -]{0,30}(?:key|token)["'\\\]]{0,4}\s{0,3}(?:=>|[=:])\s{0,3}[\\"'`]{0,2}([A-Za-z0-9_-]{37,45})/gi,
  },
  token('Heroku key', 'HRKU-', '[A-Za-z0-9_-]{36,100}'),
  {
    kind: 'Heroku key',
    certainty: 'certain',
    pattern:
      /heroku[a-z_. -]{0,20}(?:key|token)["'\\\]]{0,4}\s{0,3}(?:=>|[=:])\s{0,3}[\\"'`]{0,2}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi,
  },
  token('Vercel token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], '[A-Za-z0-9]{24,100}'),
  token('Netlify token', ['nfp_', 'nfo_', 'nfc_', 'nfb_'], '[A-Za-z0-9]{36,60}'),
  token('Fly token', ['fo1_', 'fm1r_', 'fm1a_', 'fm2_'], '[A-Za-z0-9+/=_-]{40,2000}'),
  token('Render key', 'rnd_', '[A-Za-z0-9]{24,60}'),
  token('Railway token', 'rlwy_', '[A-Za-z0-9_-]{24,100}'),
  token('Deno Deploy token', ['ddp_', 'ddw_'], '[A-Za-z0-9]{36}'),
  token('OpenShift token', 'sha256~', '[A-Za-z0-9_-]{43}'),
  token('Tailscale key', ['tskey-', 'tskey-api-', 'tskey-auth-'], '[A-Za-z0-9-]{16,100}'),
  likelyToken('Yandex key', ['AQVN', 'y0_'], '[A-Za-z0-9_-]{35,100}'),
];
