import { matching, settingFacts } from '@parley/http-host/program';
import { headerName, issuerAddress, roleMapping } from './setting-types.ts';

/** The settings of the sign-in with company accounts: at an OpenID provider, or by the header of a proxy. */
export const signInSettings = {
  PARLEY_OIDC_ISSUER: issuerAddress().optional().register(settingFacts, {
    flag: '--oidc-issuer <url>',
    purpose:
      'OpenID provider that signs people in; needs PARLEY_PUBLIC_URL, PARLEY_OIDC_CLIENT_ID and PARLEY_OIDC_ROLES',
  }),
  PARLEY_OIDC_CLIENT_ID: matching('the client id that the provider gave this service', /^[\x21-\x7E]{1,500}$/)
    .optional()
    .register(settingFacts, { flag: '--oidc-client-id <id>', purpose: 'client id of this service at the provider' }),
  PARLEY_OIDC_CLIENT_SECRET: matching('the secret that the provider gave this service', /^[\x20-\x7E]{1,1000}$/)
    .optional()
    .register(settingFacts, {
      purpose: 'secret of this service at the provider; if unset, this service is a public client',
      isSecret: true,
    }),
  PARLEY_OIDC_ROLES: roleMapping().optional().register(settingFacts, {
    flag: '--oidc-roles <list>',
    purpose:
      'role of each group, such as parley-admins=approver,developers=operator,*=viewer; * is everybody; used for PARLEY_AUTH_HEADER too',
  }),
  PARLEY_OIDC_GROUPS_CLAIM: matching('the name of a claim', /^[\x21-\x7E]{1,200}$/)
    .prefault('groups')
    .register(settingFacts, {
      flag: '--oidc-groups-claim <name>',
      purpose: 'claim that lists the groups of a person (default groups)',
    }),
  PARLEY_OIDC_SCOPE: matching(
    'scopes separated by spaces, one of which is openid',
    /^(?=(?:.* )?openid(?: |$))[\x21-\x7E ]{6,500}$/,
  )
    .prefault('openid profile email')
    .register(settingFacts, {
      flag: '--oidc-scope <list>',
      purpose: 'scopes that are requested from the provider (default openid profile email)',
    }),
  PARLEY_AUTH_HEADER: headerName().optional().register(settingFacts, {
    flag: '--auth-header <name>',
    purpose:
      'header in which a trusted proxy names the user, such as X-Forwarded-User; needs PARLEY_TRUSTED_PROXIES, PARLEY_AUTH_SECRET and PARLEY_OIDC_ROLES',
  }),
  PARLEY_AUTH_GROUPS_HEADER: headerName().prefault('X-Forwarded-Groups').register(settingFacts, {
    flag: '--auth-groups-header <name>',
    purpose: 'header in which the proxy lists the groups of the user, separated by commas (default X-Forwarded-Groups)',
  }),
  PARLEY_AUTH_SECRET: matching('32 to 200 letters, digits and signs without spaces', /^[\x21-\x7E]{32,200}$/)
    .optional()
    .register(settingFacts, {
      purpose:
        'secret that the proxy sends in the header Parley-Proxy-Secret; without it the service refuses the user that the proxy names',
      isSecret: true,
    }),
};
