import { isAbsolute, resolve } from "node:path";
import { type ReadSetting, quote, Refusal } from "./setting.ts";

/** The bucket in which artifacts are put. */
export interface BucketSettings {
  readonly bucket: string;
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a key that ends some time; null: of one that does not. */
  readonly sessionToken: string | null;
  /** Before every key: empty, or ends with a slash. */
  readonly prefix: string;
  /** The bucket stands in the path rather than in the name of the host. */
  readonly pathStyle: boolean;
}

/** The NATS over which servers tell each other what to look at. */
export interface NatsSettings {
  /** `host:port`, without credentials. */
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly login: { user: string; password: string } | { token: string } | null;
  /** The absolute path of a file as `nsc` writes it. */
  readonly credsFile: string | null;
}

const KEYS = ["HOLDPOINT_S3_ACCESS_KEY_ID", "HOLDPOINT_S3_SECRET_ACCESS_KEY"] as const;
const OTHERS = [
  "HOLDPOINT_S3_SESSION_TOKEN",
  "HOLDPOINT_S3_ENDPOINT",
  "HOLDPOINT_S3_REGION",
  "HOLDPOINT_S3_PREFIX",
  "HOLDPOINT_S3_PATH_STYLE",
] as const;
const DEFAULT_REGION = "us-east-1";

/** Reads the settings that begin with HOLDPOINT_S3_. */
export function readBucketSettings(read: ReadSetting): BucketSettings | undefined {
  const bucket = read<string | undefined>("HOLDPOINT_S3_BUCKET", undefined, bucketName);
  const [accessKeyId = "", secretAccessKey = ""] = KEYS.map((name) =>
    read<string | undefined>(name, undefined, visible),
  );
  if (bucket === undefined) {
    // Whoever sets one of them means artifacts to go there, and would find out late that they did not.
    const isNamed = read("HOLDPOINT_S3_BUCKET", false, () => true);
    for (const name of isNamed ? [] : [...KEYS, ...OTHERS]) read<null>(name, null, withoutBucket);
    return undefined;
  }
  const missing = [accessKeyId, secretAccessKey].flatMap((value, index) => (value === "" ? [KEYS[index] ?? ""] : []));
  if (missing.length > 0) {
    read<null>("HOLDPOINT_S3_BUCKET", null, () => {
      throw new Refusal(`needs ${missing.join(" and ")}`);
    });
  }
  const region = read("HOLDPOINT_S3_REGION", DEFAULT_REGION, regionName);
  const endpoint = read<string | null>("HOLDPOINT_S3_ENDPOINT", null, origin);
  return Object.freeze({
    bucket,
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: read<string | null>("HOLDPOINT_S3_SESSION_TOKEN", null, sessionToken),
    prefix: read("HOLDPOINT_S3_PREFIX", "", prefix),
    pathStyle: read("HOLDPOINT_S3_PATH_STYLE", endpoint !== null, yesOrNo),
  });
}

function withoutBucket(): never {
  throw new Refusal("is set, but HOLDPOINT_S3_BUCKET is not");
}

function bucketName(text: string): string {
  if (/^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
  throw new Refusal(`must be the name of a bucket: 3 to 63 small letters, digits, "-" and ".", not ${quote(text)}`);
}

/** Never repeated: one of those that it is for is secret. */
function visible(text: string): string {
  if (/^[\x21-\x7e]{3,256}$/.test(text)) return text;
  throw new Refusal("must have 3 to 256 letters, digits or ASCII signs, and no blanks");
}

/** Never repeated. Those of Amazon have a thousand signs or more. */
function sessionToken(text: string): string {
  if (/^[\x21-\x7e]{3,8192}$/.test(text)) return text;
  throw new Refusal("must have 3 to 8192 letters, digits or ASCII signs, and no blanks");
}

function regionName(text: string): string {
  if (/^[a-z0-9-]{2,40}$/.test(text)) return text;
  throw new Refusal(`must be the name of a region such as eu-central-1, not ${quote(text)}`);
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && (text === url.origin || text === `${url.origin}/`);
  if (isPlain && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Refusal("must be a scheme, a host and a port alone, such as https://s3.example.com:9000");
}

function prefix(text: string): string {
  const plain = text.replace(/^\/+|\/+$/g, "");
  if (/^[\w./-]{1,200}$/.test(plain) && !/(^|\/)\.{0,2}(\/|$)/.test(plain)) return `${plain}/`;
  throw new Refusal(`must be a path of letters, digits, "_", "-" and ".", such as holdpoint/prod, not ${quote(text)}`);
}

function yesOrNo(text: string): boolean {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  throw new Refusal(`must be true or false, not ${quote(text)}`);
}

/** Reads the settings that begin with HOLDPOINT_NATS_. */
export function readNatsSettings(read: ReadSetting, cwd: string): NatsSettings | undefined {
  const nats = read<Omit<NatsSettings, "credsFile"> | undefined>("HOLDPOINT_NATS_URL", undefined, natsUrls);
  const credsFile = read<string | null>("HOLDPOINT_NATS_CREDS", null, (text) => {
    if (read("HOLDPOINT_NATS_URL", false, () => true)) return isAbsolute(text) ? text : resolve(cwd, text);
    throw new Refusal("is set, but HOLDPOINT_NATS_URL is not");
  });
  return nats === undefined ? undefined : Object.freeze({ ...nats, credsFile });
}

const NATS_PORT = "4222";

/** Never repeated: a password may stand in them. Credentials are those of the first address. */
function natsUrls(text: string): Omit<NatsSettings, "credsFile"> {
  const parts = text.split(",").map((part) => part.trim());
  const urls = parts.flatMap((part) => (URL.canParse(part) ? [new URL(part)] : []));
  const isServer = ({ protocol, hostname, pathname, search }: URL): boolean =>
    /^(nats|tls):$/.test(protocol) && hostname !== "" && /^\/?$/.test(pathname) && search === "";
  const [first] = urls;
  if (first === undefined || urls.length !== parts.length || !urls.every(isServer)) {
    throw new Refusal(
      "must be an address such as nats://user:password@host:4222 or tls://host:4222, or several after commas",
    );
  }
  if (urls.some(({ protocol }) => protocol !== first.protocol)) throw new Refusal("must be all nats:// or all tls://");
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === "" ? NATS_PORT : port}`),
    tls: first.protocol === "tls:",
    login: loginOf(first),
  };
}

function loginOf({ username, password }: URL): NatsSettings["login"] {
  if (username === "") return null;
  try {
    const user = decodeURIComponent(username);
    return password === "" ? { token: user } : { user, password: decodeURIComponent(password) };
  } catch {
    throw new Refusal("has credentials that are not URL-encoded");
  }
}
