import { closestMatch } from "leven";

/** The names of the server's settings, some of which a runner has as well. */
export const SERVER_SETTINGS = [
  "DATABASE_URL",
  "HOLDPOINT_ADMIN_TOKEN",
  "HOLDPOINT_CORS_ORIGINS",
  "HOLDPOINT_DATA_DIR",
  "HOLDPOINT_ENGINE",
  "HOLDPOINT_ENGINE_MAX_FILE_SIZE",
  "HOLDPOINT_ENGINE_MAX_MEMORY",
  "HOLDPOINT_ENGINE_MAX_PROCESSES",
  "HOLDPOINT_ENGINE_PREFIX",
  "HOLDPOINT_ENGINE_UID",
  "HOLDPOINT_EXECUTOR",
  "HOLDPOINT_HOST",
  "HOLDPOINT_INVITED_HOURS",
  "HOLDPOINT_LIMIT_ORGANIZATION_POINTS_PER_MINUTE",
  "HOLDPOINT_LIMIT_POINTS_AT_ONCE",
  "HOLDPOINT_LIMIT_POINTS_PER_MINUTE",
  "HOLDPOINT_LIMIT_SUBSCRIPTIONS",
  "HOLDPOINT_LIMIT_UPLOADS_PER_HOUR",
  "HOLDPOINT_LOG_LEVEL",
  "HOLDPOINT_MASTER_KEY",
  "HOLDPOINT_NATS_CREDS",
  "HOLDPOINT_NATS_URL",
  "HOLDPOINT_OIDC_ADMIN_GROUP",
  "HOLDPOINT_OIDC_CLIENT_ID",
  "HOLDPOINT_OIDC_CLIENT_SECRET",
  "HOLDPOINT_OIDC_CLIENT_SECRET_FILE",
  "HOLDPOINT_OIDC_DOMAINS",
  "HOLDPOINT_OIDC_GROUPS_CLAIM",
  "HOLDPOINT_OIDC_ISSUER",
  "HOLDPOINT_OIDC_SCOPES",
  "HOLDPOINT_PORT",
  "HOLDPOINT_PROBE_ALLOW",
  "HOLDPOINT_PUBLIC_URL",
  "HOLDPOINT_RUNNER_LABELS",
  "HOLDPOINT_RUNNER_NAME",
  "HOLDPOINT_RUNNER_PROBES",
  "HOLDPOINT_RUNNER_PROBE_ALLOW",
  "HOLDPOINT_RUNNER_SLOTS",
  "HOLDPOINT_S3_ACCESS_KEY_ID",
  "HOLDPOINT_S3_BUCKET",
  "HOLDPOINT_S3_ENDPOINT",
  "HOLDPOINT_S3_PATH_STYLE",
  "HOLDPOINT_S3_PREFIX",
  "HOLDPOINT_S3_REGION",
  "HOLDPOINT_S3_SECRET_ACCESS_KEY",
  "HOLDPOINT_S3_SESSION_TOKEN",
  "HOLDPOINT_SOURCE_ROOTS",
  "HOLDPOINT_TRUSTED_PROXIES",
  "HOLDPOINT_WEBHOOK_ALLOW",
  "HOLDPOINT_GIT_ALLOW",
  "HOLDPOINT_ISSUER_ALLOW",
] as const;

/** The names of the settings that a runner alone has. */
const RUNNER_SETTINGS = [
  "HOLDPOINT_RUNNER_CHECKS",
  "HOLDPOINT_RUNNER_NETWORK_ALLOW",
  "HOLDPOINT_RUNNER_POOL",
  "HOLDPOINT_RUNNER_TOKEN",
  "HOLDPOINT_RUNNER_TOKEN_FILE",
  "HOLDPOINT_RUNNER_WORK_DIR",
  "HOLDPOINT_SERVER",
] as const;

/** All names: both may be started with one environment. */
const SETTING_NAMES = [...SERVER_SETTINGS, ...RUNNER_SETTINGS];

export type SettingName = (typeof SETTING_NAMES)[number];

const PREFIX = "HOLDPOINT_";
/** Read by the clients in examples/clients, which are started from the same shell. */
const OF_CLIENTS: readonly string[] = ["HOLDPOINT_TOKEN", "HOLDPOINT_URL"];
/** Kubernetes gives every container these of a service that is called holdpoint, or holdpoint-something. */
const OF_KUBERNETES = [
  /^HOLDPOINT_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)=/,
  /^HOLDPOINT_(\w+_)?PORT(_\d+_\w+)?=(tcp|udp|sctp):/,
  /^HOLDPOINT_(\w+_)?PORT_\d+_\w+_(PROTO|PORT|ADDR)=/,
];
const MAX_TYPOS = 4;

/** Lists a problem for each variable that resembles a setting and is none. An empty one counts as not set. */
export function unknownSettings(env: NodeJS.ProcessEnv): string[] {
  const known: readonly string[] = [...SETTING_NAMES, ...OF_CLIENTS];
  return Object.entries(env)
    .filter(([name, value = ""]) => name.startsWith(PREFIX) && value.trim() !== "" && !known.includes(name))
    .filter(([name, value]) => !OF_KUBERNETES.some((pattern) => pattern.test(`${name}=${value}`)))
    .map(([name]) => {
      const meant = closestMatch(name, SETTING_NAMES, { maxDistance: MAX_TYPOS });
      const remedy = meant === undefined ? "Unset it. The README lists the settings" : `Did you mean ${meant}?`;
      return `${name} is no setting. ${remedy}`;
    })
    .toSorted();
}
