import { isAbsolute, resolve } from "node:path";
import { type ReadSetting, quote, InvalidSetting, yesOrNo } from "./setting.ts";
import type { SettingName } from "./setting-names.ts";

/** The bucket in which artifacts are put. */
export interface BucketSettings {
  readonly bucket: string;
  /** Scheme, host and port; null: the endpoint of Amazon for the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** A static access key; null: the AWS SDK finds a role, a profile or other credentials of the machine. */
  readonly accessKey: AccessKeySettings | null;
  /** Precedes every key: empty, or ends with a slash. */
  readonly prefix: string;
  /** Puts the bucket into the path rather than into the name of the host. */
  readonly pathStyle: boolean;
}

interface AccessKeySettings {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Belongs to a temporary key; null for a permanent one. */
  readonly sessionToken: string | null;
}

/** The NATS over which servers notify each other. */
export interface NatsSettings {
  /** `host:port`, without credentials. */
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly login: { user: string; password: string } | { token: string } | null;
  /** The absolute path of a file as `nsc` writes it. */
  readonly credsFile: string | null;
}

const ACCESS_KEY_ID = "HOLDPOINT_S3_ACCESS_KEY_ID";
const SECRET_ACCESS_KEY = "HOLDPOINT_S3_SECRET_ACCESS_KEY";
const SESSION_TOKEN = "HOLDPOINT_S3_SESSION_TOKEN";
const WITH_BUCKET = [
  ACCESS_KEY_ID,
  SECRET_ACCESS_KEY,
  SESSION_TOKEN,
  "HOLDPOINT_S3_ENDPOINT",
  "HOLDPOINT_S3_REGION",
  "HOLDPOINT_S3_PREFIX",
  "HOLDPOINT_S3_PATH_STYLE",
] as const;
const DEFAULT_REGION = "us-east-1";

/** Reads the settings that begin with HOLDPOINT_S3_. */
export function readBucketSettings(read: ReadSetting): BucketSettings | undefined {
  if (!isSet(read, "HOLDPOINT_S3_BUCKET")) {
    // One of them without a bucket is a mistake: artifacts would silently stay in the database.
    refuseWithout(read, "HOLDPOINT_S3_BUCKET", WITH_BUCKET);
    return undefined;
  }
  const endpoint = read<string | null>("HOLDPOINT_S3_ENDPOINT", null, origin);
  return Object.freeze({
    bucket: read("HOLDPOINT_S3_BUCKET", "", bucketName),
    endpoint,
    region: read("HOLDPOINT_S3_REGION", DEFAULT_REGION, regionName),
    accessKey: readAccessKey(read),
    prefix: read("HOLDPOINT_S3_PREFIX", "", prefix),
    pathStyle: read("HOLDPOINT_S3_PATH_STYLE", endpoint !== null, yesOrNo),
  });
}

/** Reads the static key, which is set as a whole or not at all. */
function readAccessKey(read: ReadSetting): AccessKeySettings | null {
  const accessKeyId = read(ACCESS_KEY_ID, "", visible);
  const secretAccessKey = read(SECRET_ACCESS_KEY, "", visible);
  const token = read<string | null>(SESSION_TOKEN, null, sessionToken);
  if (!isSet(read, ACCESS_KEY_ID)) refuseWithout(read, ACCESS_KEY_ID, [SECRET_ACCESS_KEY, SESSION_TOKEN]);
  if (!isSet(read, SECRET_ACCESS_KEY)) refuseWithout(read, SECRET_ACCESS_KEY, [ACCESS_KEY_ID]);
  if (accessKeyId === "" || secretAccessKey === "") return null;
  return Object.freeze({ accessKeyId, secretAccessKey, sessionToken: token });
}

function isSet(read: ReadSetting, name: SettingName): boolean {
  return read(name, false, () => true);
}

/** Refuses each of these settings that is set. */
function refuseWithout(read: ReadSetting, missing: SettingName, names: readonly SettingName[]): void {
  for (const name of names) {
    read<null>(name, null, () => {
      throw new InvalidSetting(`is set, but ${missing} is not`);
    });
  }
}

function bucketName(text: string): string {
  if (/^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
  throw new InvalidSetting(
    `must be the name of a bucket: 3 to 63 small letters, digits, "-" and ".", not ${quote(text)}`,
  );
}

/** Never repeats the text, which may be a secret. */
function visible(text: string): string {
  if (/^[\x21-\x7e]{3,256}$/.test(text)) return text;
  throw new InvalidSetting("must have 3 to 256 letters, digits or ASCII signs, and no blanks");
}

/** Never repeats the text, which is a secret. Tokens of Amazon have a thousand characters or more. */
function sessionToken(text: string): string {
  if (/^[\x21-\x7e]{3,8192}$/.test(text)) return text;
  throw new InvalidSetting("must have 3 to 8192 letters, digits or ASCII signs, and no blanks");
}

function regionName(text: string): string {
  if (/^[a-z0-9-]{2,40}$/.test(text)) return text;
  throw new InvalidSetting(`must be the name of a region such as eu-central-1, not ${quote(text)}`);
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && (text === url.origin || text === `${url.origin}/`);
  if (isPlain && /^https?:$/.test(url.protocol)) return url.origin;
  throw new InvalidSetting("must be a scheme, a host and a port alone, such as https://s3.example.com:9000");
}

function prefix(text: string): string {
  const plain = text.replace(/^\/+|\/+$/g, "");
  if (/^[\w./-]{1,200}$/.test(plain) && !/(^|\/)\.{0,2}(\/|$)/.test(plain)) return `${plain}/`;
  throw new InvalidSetting(
    `must be a path of letters, digits, "_", "-" and ".", such as holdpoint/prod, not ${quote(text)}`,
  );
}

/** Reads the settings that begin with HOLDPOINT_NATS_. */
export function readNatsSettings(read: ReadSetting, cwd: string): NatsSettings | undefined {
  const nats = read<Omit<NatsSettings, "credsFile"> | undefined>("HOLDPOINT_NATS_URL", undefined, natsUrls);
  const credsFile = read<string | null>("HOLDPOINT_NATS_CREDS", null, (text) => {
    if (read("HOLDPOINT_NATS_URL", false, () => true)) return isAbsolute(text) ? text : resolve(cwd, text);
    throw new InvalidSetting("is set, but HOLDPOINT_NATS_URL is not");
  });
  return nats === undefined ? undefined : Object.freeze({ ...nats, credsFile });
}

const NATS_PORT = "4222";

/** Never repeats the text, which may have a password. Credentials are those of the first address. */
function natsUrls(text: string): Omit<NatsSettings, "credsFile"> {
  const parts = text.split(",").map((part) => part.trim());
  const urls = parts.flatMap((part) => (URL.canParse(part) ? [new URL(part)] : []));
  const isServer = ({ protocol, hostname, pathname, search }: URL): boolean =>
    /^(nats|tls):$/.test(protocol) && hostname !== "" && /^\/?$/.test(pathname) && search === "";
  const [first] = urls;
  if (first === undefined || urls.length !== parts.length || !urls.every(isServer)) {
    throw new InvalidSetting(
      "must be an address such as nats://user:password@host:4222 or tls://host:4222, or several after commas",
    );
  }
  if (urls.some(({ protocol }) => protocol !== first.protocol))
    throw new InvalidSetting("must be all nats:// or all tls://");
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
    throw new InvalidSetting("has credentials that are not URL-encoded");
  }
}
