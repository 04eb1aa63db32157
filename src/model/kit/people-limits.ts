/** The bounds of tokens, sessions, sign-in and programs. Durations in milliseconds, sizes in bytes. */
export const PEOPLE_LIMITS = {
  /** Digests of tokens that were valid lately. */
  validTokensKnown: 20_000,
  ownTokensShown: 1000,
  networksPerToken: 20,
  /** Sets of networks that are kept in a compiled form. */
  networksKnown: 1000,
  tokenDays: 366,
  tokenDaysByDefault: 90,
  /** A token ends after so many days without a request. */
  tokenIdleDays: 90,
  /** The time for which the former secret of a token is good after a rotation. */
  rotationHours: 24,
  rotationHoursMost: 168,
  externalIdsPerTeam: 20,
  /** A session ends after so long without a request, and at the latest after the second time. */
  sessionIdleMs: 12 * 60 * 60 * 1000,
  sessionMs: 7 * 24 * 60 * 60 * 1000,
  sessionsShown: 100,
  /** How long a person counts as present who has signed in. */
  presenceMs: 10 * 60 * 1000,
  /** How long a person who signs in has for it, and how long a membership lasts that a sign-in confirmed. */
  signInMs: 10 * 60 * 1000,
  membershipMs: 30 * 24 * 60 * 60 * 1000,
  groupsPerSignIn: 1000,
  groupNameLength: 255,
  /** Attempts to sign in of one address. */
  signIns: { perMinute: 300, burst: 300 },
  passkeysPerPerson: 20,
  invitationMs: 7 * 24 * 60 * 60 * 1000,
  invitationsOpen: 1000,
  signInBodyBytes: 32 * 1024,
  /** Requests of programs that want a token, of one address. */
  programRequests: { perMinute: 300, burst: 300 },
  /** How long a person has to answer a program, and the program to fetch a code that the browser brought. */
  deviceCodeMs: 10 * 60 * 1000,
  redirectCodeMs: 60 * 1000,
  /** The pause between two questions of a program, what is added where it makes less, and what is forgiven. */
  devicePollMs: 5000,
  slowDownMs: 5000,
  pollToleranceMs: 500,
  /** Codes that a person may type: five in ten minutes. */
  userCodes: { perMinute: 0.5, burst: 5 },
  peopleKnown: 10_000,
  programTokenDays: 30,
  /** The life of tokens that others are exchanged for. */
  trustRuleSeconds: { least: 60, most: 3600 },
  trustRulesPerAccount: 100,
  /** Rules about one issuer and audience that a token is compared with. */
  trustRulesPerIssuer: 5000,
  claimsPerTrustRule: 20,
  issuerLength: 500,
  claimLength: 500,
  starsPerPattern: 10,
  /** Issuers whose keys are remembered, for how long, and the pause after a failure or an unknown key. */
  issuersKnown: 100,
  issuerKeysMs: 10 * 60 * 1000,
  issuerRetryMs: 10_000,
  issuerFetch: { timeoutMs: 5000, bytes: 256 * 1024 },
  /** The largest difference between the clocks of an issuer and of this server. */
  clockSkewMs: 60_000,
  /** Answered requests of programs and exchanged tokens are stored so long after their end. */
  programKeptMs: 24 * 60 * 60 * 1000,
} as const;
