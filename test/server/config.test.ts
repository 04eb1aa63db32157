import ipaddr from "ipaddr.js";
import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import { type Config, parseConfig } from "../../src/server/config.ts";
import { ConfigError } from "../../src/server/setting.ts";

const FACTS = {
  cwd: "/srv/here",
  uid: 1000,
  packageRoot: "/opt/holdpoint",
  hostname: "rack7",
  isFolder: (path: string) => path.startsWith("/srv/"),
};

function parse(env: NodeJS.ProcessEnv, facts = FACTS): Config {
  return parseConfig(env, facts);
}

function problems(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    parse(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("an empty environment gives a server that works", () => {
  expect(parse({})).toEqual({
    port: 4000,
    host: "127.0.0.1",
    dataDir: "/srv/here/.holdpoint",
    adminToken: undefined,
    masterKey: undefined,
    databaseUrl: undefined,
    sourceRoots: ["/opt/holdpoint/examples"],
    runnerProbing: null,
    runnerSlots: 2,
    runnerName: "embedded@rack7",
    runnerLabels: [],
    engine: undefined,
    engineSettings: {
      bounds: { maxProcesses: null, maxMemoryBytes: null, maxFileBytes: null },
      prefix: [],
      firstUid: 60_900,
    },
    corsOrigins: [],
    trustedProxies: [],
    signIn: { publicUrl: undefined, invitedHours: 72, oidc: undefined },
    limits: {
      pointsPerMinute: 5000,
      pointsAtOnce: 2000,
      organizationPointsPerMinute: 20_000,
      uploadsPerHour: 120,
      subscriptions: 1000,
    },
    webhookAllow: [],
    gitAllow: [],
    probeAllow: [],
    issuerAllow: [],
    bucket: undefined,
    nats: undefined,
    executor: "compiled",
    logLevel: "info",
    inherited: {},
  });
});

test("root's data folder is the system's; a named one is taken relative to where the server was started", () => {
  expect(parse({}, { ...FACTS, uid: 0 }).dataDir).toBe("/var/lib/holdpoint");
  expect(parse({ HOLDPOINT_DATA_DIR: "data" }, { ...FACTS, uid: 0 }).dataDir).toBe("/srv/here/data");
  expect(parse({ HOLDPOINT_DATA_DIR: "/srv/data" }).dataDir).toBe("/srv/data");
});

test("a variable that is set to nothing counts as not set", () => {
  expect(parse({ HOLDPOINT_PORT: "", HOLDPOINT_ADMIN_TOKEN: " ", DATABASE_URL: "" })).toEqual(parse({}));
});

test("reads every variable", () => {
  const config = parse({
    HOLDPOINT_PORT: "0",
    HOLDPOINT_HOST: "::1",
    HOLDPOINT_ADMIN_TOKEN: "a".repeat(24),
    DATABASE_URL: "postgres://me:secret@db:5432/holdpoint",
    HOLDPOINT_SOURCE_ROOTS: ["/srv/infra", "mine", ""].join(delimiter),
    HOLDPOINT_RUNNER_SLOTS: "64",
    HOLDPOINT_RUNNER_NAME: "north",
    HOLDPOINT_RUNNER_LABELS: "gpu, eu,gpu",
    HOLDPOINT_ENGINE: "./bin/tofu",
    HOLDPOINT_CORS_ORIGINS: "https://a.example, http://localhost:3000/",
    HOLDPOINT_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1, fd00::/8",
    HOLDPOINT_LIMIT_POINTS_PER_MINUTE: "0",
    HOLDPOINT_LIMIT_POINTS_AT_ONCE: "500",
    HOLDPOINT_LIMIT_ORGANIZATION_POINTS_PER_MINUTE: "0",
    HOLDPOINT_LIMIT_UPLOADS_PER_HOUR: "10",
    HOLDPOINT_LIMIT_SUBSCRIPTIONS: "50",
    HOLDPOINT_EXECUTOR: "library",
    HOLDPOINT_LOG_LEVEL: "DEBUG",
  });
  expect(config).toMatchObject({
    port: 0,
    host: "::1",
    adminToken: "a".repeat(24),
    databaseUrl: "postgres://me:secret@db:5432/holdpoint",
    sourceRoots: ["/srv/infra", "/srv/here/mine"],
    runnerSlots: 64,
    runnerName: "north",
    runnerLabels: ["gpu", "eu"],
    engine: "/srv/here/bin/tofu",
    corsOrigins: ["https://a.example", "http://localhost:3000"],
    trustedProxies: [
      [ipaddr.parse("10.0.0.0"), 8],
      [ipaddr.parse("192.0.2.1"), 32],
      [ipaddr.parse("fd00::"), 8],
    ],
    executor: "library",
    logLevel: "debug",
  });
  expect(parse({ HOLDPOINT_ENGINE: "tofu" }).engine).toBe("tofu");
});

test("webhooks and sources may go to hosts, addresses and networks, each with a port if wanted", () => {
  const name = (host: string, port: number | null = null) => ({ type: "name", name: host, port });
  const network = (address: string, prefix: number, port: number | null = null) => {
    return { type: "network", address, prefix, port };
  };
  const text = "Hooks.internal, localhost:8080, 10.0.0.0/8, 10.1.2.3,10.1.2.3:9000, fd00::/8, ::1, [fd00::1]:8080,";
  const names = ["HOLDPOINT_WEBHOOK_ALLOW", "HOLDPOINT_GIT_ALLOW", "HOLDPOINT_ISSUER_ALLOW", "HOLDPOINT_PROBE_ALLOW"];
  const { webhookAllow, gitAllow, issuerAllow, probeAllow } = parse(
    Object.fromEntries(names.map((name) => [name, text])),
  );
  expect([gitAllow, issuerAllow, probeAllow]).toEqual([webhookAllow, webhookAllow, webhookAllow]);
  expect(webhookAllow).toEqual([
    name("hooks.internal"),
    name("localhost", 8080),
    network("10.0.0.0", 8),
    network("10.1.2.3", 32),
    network("10.1.2.3", 32, 9000),
    network("fd00::", 8),
    network("::1", 128),
    network("fd00::1", 128, 8080),
  ]);
});

test("the master key is 32 bytes, as hexadecimal digits or base64", () => {
  const key = Buffer.alloc(32, 0xfb);
  for (const encoding of ["hex", "base64", "base64url"] as const) {
    expect(parse({ HOLDPOINT_MASTER_KEY: key.toString(encoding) }).masterKey).toEqual(new Uint8Array(key));
  }
});

test.each([
  ["HOLDPOINT_WEBHOOK_ALLOW", "https://hooks.internal/", "hosts, addresses or networks"],
  ["HOLDPOINT_GIT_ALLOW", "https://git.internal/", "hosts, addresses or networks"],
  ["HOLDPOINT_PROBE_ALLOW", "https://shop.internal/", "hosts, addresses or networks"],
  ["HOLDPOINT_ISSUER_ALLOW", "https://gitlab.internal/", "hosts, addresses or networks"],
  ["HOLDPOINT_WEBHOOK_ALLOW", "10.0.0.0/33", "hosts, addresses or networks"],
  ["HOLDPOINT_WEBHOOK_ALLOW", "host:65536", "hosts, addresses or networks"],
  ["HOLDPOINT_WEBHOOK_ALLOW", "*.internal", "hosts, addresses or networks"],
  ["HOLDPOINT_WEBHOOK_ALLOW", "10/8", "hosts, addresses or networks"],
  ["HOLDPOINT_WEBHOOK_ALLOW", "172.16/12", "hosts, addresses or networks"],
  ["HOLDPOINT_WEBHOOK_ALLOW", "010.0.0.0/8", "hosts, addresses or networks"],
  ["HOLDPOINT_WEBHOOK_ALLOW", "127.1:8080", "hosts, addresses or networks"],
  ["HOLDPOINT_PORT", "65536", "a whole number from 0 to 65535"],
  ["HOLDPOINT_PORT", "4e3", "a whole number"],
  ["HOLDPOINT_PORT", "-1", "a whole number"],
  ["HOLDPOINT_HOST", "http://x/", "a host name or an address"],
  ["HOLDPOINT_ADMIN_TOKEN", "short", "at least 24 characters"],
  ["HOLDPOINT_ADMIN_TOKEN", "OFF", "or be off"],
  ["HOLDPOINT_ADMIN_TOKEN", `${"a".repeat(12)} ${"a".repeat(12)}`, "no blanks"],
  ["HOLDPOINT_MASTER_KEY", "ab".repeat(31), "32 bytes"],
  ["HOLDPOINT_MASTER_KEY", Buffer.alloc(33).toString("base64"), "32 bytes"],
  ["DATABASE_URL", "mysql://db/x", "postgres://"],
  ["DATABASE_URL", "db", "postgres://"],
  ["DATABASE_URL", "mysql://me:pw@/x?host=/run/mysql", "postgres://"],
  // The driver does not take a port without a host: it belongs behind it.
  ["DATABASE_URL", "postgres://me:pw@:5433/x?host=/run/postgresql", "&port=5432"],
  ["HOLDPOINT_SOURCE_ROOTS", delimiter, "at least one folder"],
  ["HOLDPOINT_SOURCE_ROOTS", ["/srv/infra", "/mnt/gone", "/mnt/x"].join(delimiter), '"/mnt/gone", "/mnt/x" does not'],
  ["HOLDPOINT_RUNNER_SLOTS", "65", "from 0 to 64"],
  ["HOLDPOINT_RUNNER_SLOTS", "1.5", "a whole number"],
  ["HOLDPOINT_CORS_ORIGINS", "*", "no *"],
  ["HOLDPOINT_TRUSTED_PROXIES", "proxy.internal", "addresses and networks such as 10.0.0.0/8"],
  ["HOLDPOINT_TRUSTED_PROXIES", "10.0.0.0/33", "addresses and networks such as 10.0.0.0/8"],
  ["HOLDPOINT_CORS_ORIGINS", "https://a.example/path", "no path"],
  ["HOLDPOINT_LIMIT_POINTS_PER_MINUTE", "-1", "0 for no limit"],
  ["HOLDPOINT_LIMIT_POINTS_AT_ONCE", "0", "from 1 to 100000000"],
  ["HOLDPOINT_LIMIT_ORGANIZATION_POINTS_PER_MINUTE", "many", "0 for no limit"],
  ["HOLDPOINT_LIMIT_UPLOADS_PER_HOUR", "1.5", "0 for no limit"],
  ["HOLDPOINT_LIMIT_SUBSCRIPTIONS", "1e3", "0 for no limit"],
  ["HOLDPOINT_EXECUTOR", "graphql-js", "compiled, library"],
  ["HOLDPOINT_LOG_LEVEL", "loud", "fatal, error, warn"],
])("%s=%s is refused by name, with what would be right", (name, value, right) => {
  const [problem, ...others] = problems({ [name]: value });
  expect(problem?.startsWith(`${name} must`)).toBe(true);
  expect(problem).toContain(right);
  expect(others).toEqual([]);
});

test("a variable that looks like a setting and is none is refused, with the one that is meant", () => {
  const env = { HOLDPOINT_MASTERKEY: "ab".repeat(32), HOLDPOINT_SOURCES_ROOT: "/srv", HOLDPOINT_COLOUR: "blue" };
  expect(problems(env)).toEqual([
    "HOLDPOINT_COLOUR is no setting. Unset it. The README lists the settings",
    "HOLDPOINT_MASTERKEY is no setting. Did you mean HOLDPOINT_MASTER_KEY?",
    "HOLDPOINT_SOURCES_ROOT is no setting. Did you mean HOLDPOINT_SOURCE_ROOTS?",
  ]);
});

test("what others set under the prefix is left alone", () => {
  const ofTheRunner = { HOLDPOINT_SERVER: "https://holdpoint.example", HOLDPOINT_RUNNER_TOKEN: "hpr_secret" };
  const ofClients = { HOLDPOINT_URL: "http://127.0.0.1:4000", HOLDPOINT_TOKEN: "hpt_secret" };
  const ofKubernetes = {
    HOLDPOINT_SERVICE_HOST: "10.0.0.1",
    HOLDPOINT_SERVICE_PORT_HTTP: "4000",
    HOLDPOINT_PORT_4000_TCP: "tcp://10.0.0.1:4000",
    HOLDPOINT_PORT_4000_TCP_ADDR: "10.0.0.1",
    HOLDPOINT_DB_PORT: "tcp://10.0.0.2:5432",
  };
  expect(problems({ ...ofTheRunner, ...ofClients, ...ofKubernetes, HOLDPOINT_NOTHING: "" })).toEqual([]);
  expect(problems({ HOLDPOINT_HTTP_PORT: "8080" })).toEqual([
    expect.stringContaining("HOLDPOINT_HTTP_PORT is no setting."),
  ]);
});

test("all problems are listed at once, and secrets are not repeated", () => {
  const env = {
    HOLDPOINT_PORT: "x",
    HOLDPOINT_ADMIN_TOKEN: "hunter2",
    HOLDPOINT_MASTER_KEY: "sesame",
    DATABASE_URL: "p:w",
  };
  expect(problems(env)).toHaveLength(4);
  expect(() => parse(env)).toThrow(/HOLDPOINT_PORT[^]*HOLDPOINT_ADMIN_TOKEN[^]*HOLDPOINT_MASTER_KEY[^]*DATABASE_URL/);
  expect(problems(env).join()).not.toMatch(/hunter2|sesame|p:w/);
});

test("children inherit what is listed, and nothing of the server's", () => {
  const inherited = {
    PATH: "/bin",
    TZ: "UTC",
    https_proxy: "http://proxy",
    NO_PROXY: "*",
    SSL_CERT_FILE: "/ca.pem",
    TF_VAR_region: "eu",
    TF_LOG: "debug",
  };
  const kept = {
    HOME: "/root",
    HOLDPOINT_ADMIN_TOKEN: "a".repeat(24),
    DATABASE_URL: "postgres://db/x",
    AWS_SECRET_ACCESS_KEY: "x",
    TF_CLI_CONFIG_FILE: "/root/.terraformrc",
  };
  expect(parse({ ...inherited, ...kept }).inherited).toEqual(inherited);
});

test("a configuration cannot be changed", () => {
  const config = parse({ PATH: "/bin" });
  expect([config, config.sourceRoots, config.corsOrigins, config.inherited].every(Object.isFrozen)).toBe(true);
});

const BUCKET = {
  HOLDPOINT_S3_BUCKET: "artifacts",
  HOLDPOINT_S3_ACCESS_KEY_ID: "key",
  HOLDPOINT_S3_SECRET_ACCESS_KEY: "very-secret",
};

test("a bucket is Amazon's unless an endpoint is set", () => {
  expect(parse({ ...BUCKET, HOLDPOINT_S3_REGION: "eu-central-1" }).bucket).toEqual({
    bucket: "artifacts",
    endpoint: null,
    region: "eu-central-1",
    accessKey: { accessKeyId: "key", secretAccessKey: "very-secret", sessionToken: null },
    prefix: "",
    pathStyle: false,
  });
  expect(parse({ ...BUCKET, HOLDPOINT_S3_SESSION_TOKEN: "token" }).bucket?.accessKey?.sessionToken).toBe("token");
  expect(parse({ HOLDPOINT_S3_BUCKET: "artifacts" }).bucket).toMatchObject({ region: "us-east-1", accessKey: null });
  const own = { ...BUCKET, HOLDPOINT_S3_ENDPOINT: "http://127.0.0.1:9000", HOLDPOINT_S3_PREFIX: "/a/b/" };
  expect(parse(own).bucket).toMatchObject({ endpoint: "http://127.0.0.1:9000", prefix: "a/b/", pathStyle: true });
  expect(parse({ ...own, HOLDPOINT_S3_PATH_STYLE: "false" }).bucket?.pathStyle).toBe(false);
});

test.each<[NodeJS.ProcessEnv, RegExp]>([
  [
    { HOLDPOINT_S3_BUCKET: "artifacts", HOLDPOINT_S3_SECRET_ACCESS_KEY: "very-secret" },
    /^HOLDPOINT_S3_SECRET_ACCESS_KEY is set, but HOLDPOINT_S3_ACCESS_KEY_ID is not/,
  ],
  [
    { HOLDPOINT_S3_BUCKET: "artifacts", HOLDPOINT_S3_ACCESS_KEY_ID: "key" },
    /^HOLDPOINT_S3_ACCESS_KEY_ID is set, but HOLDPOINT_S3_SECRET_ACCESS_KEY is not/,
  ],
  [
    { HOLDPOINT_S3_BUCKET: "artifacts", HOLDPOINT_S3_SESSION_TOKEN: "very-secret" },
    /^HOLDPOINT_S3_SESSION_TOKEN is set, but HOLDPOINT_S3_ACCESS_KEY_ID is not/,
  ],
  [{ HOLDPOINT_S3_ENDPOINT: "http://minio:9000" }, /^HOLDPOINT_S3_ENDPOINT is set, but HOLDPOINT_S3_BUCKET is not/],
  [{ ...BUCKET, HOLDPOINT_S3_BUCKET: "No_Bucket" }, /^HOLDPOINT_S3_BUCKET must be/],
  [{ ...BUCKET, HOLDPOINT_S3_SECRET_ACCESS_KEY: "very secret" }, /^HOLDPOINT_S3_SECRET_ACCESS_KEY must have/],
  [{ HOLDPOINT_S3_SESSION_TOKEN: "very-secret" }, /^HOLDPOINT_S3_SESSION_TOKEN is set, but HOLDPOINT_S3_BUCKET is not/],
  [{ ...BUCKET, HOLDPOINT_S3_SESSION_TOKEN: "very secret" }, /^HOLDPOINT_S3_SESSION_TOKEN must have/],
  [{ ...BUCKET, HOLDPOINT_S3_ENDPOINT: "https://me:very-secret@minio" }, /^HOLDPOINT_S3_ENDPOINT must be/],
  [{ ...BUCKET, HOLDPOINT_S3_PREFIX: "a/../b" }, /^HOLDPOINT_S3_PREFIX must be/],
  [{ ...BUCKET, HOLDPOINT_S3_PATH_STYLE: "yes" }, /^HOLDPOINT_S3_PATH_STYLE must be true or false/],
  [{ HOLDPOINT_NATS_URL: "https://me:very-secret@nats" }, /^HOLDPOINT_NATS_URL must be/],
  [{ HOLDPOINT_NATS_URL: "nats://a,tls://b" }, /^HOLDPOINT_NATS_URL must be all/],
  [{ HOLDPOINT_NATS_CREDS: "/etc/nats.creds" }, /^HOLDPOINT_NATS_CREDS is set, but HOLDPOINT_NATS_URL is not/],
])("refuses %o and keeps secrets", (env, words) => {
  const found = problems(env);
  expect(found).toContainEqual(expect.stringMatching(words));
  expect(found.join()).not.toMatch(/very.secret/);
});

test("a NATS has its credentials in the address, or in a file", () => {
  expect(parse({ HOLDPOINT_NATS_URL: "nats://me:p%40ss@one:4333, nats://two" }).nats).toEqual({
    servers: ["one:4333", "two:4222"],
    tls: false,
    login: { user: "me", password: "p@ss" },
    credsFile: null,
  });
  const tls = { HOLDPOINT_NATS_URL: "tls://token@one", HOLDPOINT_NATS_CREDS: "nats.creds" };
  expect(parse(tls).nats).toMatchObject({ tls: true, login: { token: "token" }, credsFile: "/srv/here/nats.creds" });
});

describe("signing in", () => {
  const complete = {
    HOLDPOINT_PUBLIC_URL: "https://holdpoint.example.com/",
    HOLDPOINT_OIDC_ISSUER: "https://login.example.com/realms/acme",
    HOLDPOINT_OIDC_CLIENT_ID: "holdpoint",
    HOLDPOINT_OIDC_CLIENT_SECRET: "s3cret-value",
  };

  test("takes how long an invited person counts as another one", () => {
    expect(parse({ HOLDPOINT_INVITED_HOURS: "0" }).signIn.invitedHours).toBe(0);
    expect(() => parse({ HOLDPOINT_INVITED_HOURS: "8761" })).toThrow("HOLDPOINT_INVITED_HOURS");
    expect(() => parse({ HOLDPOINT_INVITED_HOURS: "-1" })).toThrow("HOLDPOINT_INVITED_HOURS");
  });

  test("takes an identity provider by four settings", () => {
    expect(parse(complete).signIn).toEqual({
      publicUrl: "https://holdpoint.example.com",
      invitedHours: 72,
      oidc: {
        issuer: "https://login.example.com/realms/acme",
        clientId: "holdpoint",
        clientSecret: "s3cret-value",
        scopes: "openid profile email",
        groupsClaim: "groups",
        adminGroup: null,
        domains: [],
      },
    });
    const more = {
      HOLDPOINT_OIDC_SCOPES: "openid, groups",
      HOLDPOINT_OIDC_GROUPS_CLAIM: "roles",
      HOLDPOINT_OIDC_ADMIN_GROUP: "platform",
      HOLDPOINT_OIDC_DOMAINS: "Example.com, example.org",
    };
    expect(parse({ ...complete, ...more }).signIn.oidc).toMatchObject({
      scopes: "openid groups",
      groupsClaim: "roles",
      adminGroup: "platform",
      domains: ["example.com", "example.org"],
    });
  });

  test.each([
    ["HOLDPOINT_PUBLIC_URL", "http://holdpoint.example.com", "https, or http for localhost"],
    ["HOLDPOINT_PUBLIC_URL", "https://holdpoint.example.com/path", "no path"],
    ["HOLDPOINT_OIDC_ISSUER", "http://login.example.com", "https, or http for localhost"],
    ["HOLDPOINT_OIDC_ISSUER", "login.example.com", "must be the address of an identity provider"],
    ["HOLDPOINT_OIDC_SCOPES", "profile email", "must have openid among its names"],
    ["HOLDPOINT_OIDC_DOMAINS", "example", "comma-separated list of domains"],
    ["HOLDPOINT_OIDC_CLIENT_SECRET_FILE", "/nowhere/secret", "cannot be read"],
  ])("refuses %s=%s", (name, value, problem) => {
    const { HOLDPOINT_OIDC_CLIENT_SECRET: _secret, ...others } = complete;
    const given = name === "HOLDPOINT_OIDC_CLIENT_SECRET_FILE" ? others : complete;
    expect(() => parse({ ...given, [name]: value })).toThrow(new RegExp(`${name} .*${problem}`));
  });

  test.each(Object.keys(complete))("names %s where it is missing", (name) => {
    const rest = Object.fromEntries(Object.entries(complete).filter(([key]) => key !== name));
    expect(() => parse(rest)).toThrow(`${name}`);
    expect(() => parse(rest)).not.toThrow("s3cret-value");
  });
});
