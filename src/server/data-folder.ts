import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findText, writeDurably } from "../os/durable-file.ts";
import { findSecret } from "../os/secret-file.ts";
import type { ProcessIdentity } from "../os/process-identity.ts";
import { claimFolder, releaseClaim, updateClaim } from "./server-claim.ts";

const ADMIN_TOKEN_FILE = "admin-token";
const MASTER_KEY_FILE = "master.key";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** As root, engines with other uids pass through the folder: it can be entered, not listed. */
const ROOT_MODE = 0o711;
const PRIVATE_MODE = 0o700;

export interface DataFolderOptions {
  readonly dir: string;
  /** The uid of this process, undefined where the platform has none. */
  readonly uid: number | undefined;
  /** The process that is to own the folder. */
  readonly identity: ProcessIdentity;
  /** `crypto.randomBytes`, or something predictable in a test. */
  readonly randomBytes: (size: number) => Buffer;
}

/** A data folder that this process owns until `release`. */
export interface DataFolder extends AsyncDisposable {
  readonly dir: string;
  /** The generated administrator's token is in this file; `readOrCreateAdminToken` makes it. */
  readonly adminTokenPath: string;
  /** `hpt_` and 43 characters of base64url; the same one for the life of the folder. */
  readOrCreateAdminToken(): Promise<string>;
  /** 32 bytes; the same ones for the life of the folder. */
  readOrCreateMasterKey(): Promise<Buffer>;
  /** Writes the address of the server into `server.json`, for commands that search for a running server. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

/** The data folder, or a file in it, is not usable. The message has the remedy. */
class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/**
 * Creates the folder where it is missing and claims it for this process.
 *
 * @throws AlreadyRunningError when a live Holdpoint has it.
 * @throws DataFolderError when the folder cannot be created or is no folder.
 */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const { dir, identity, randomBytes } = options;
  await prepare(dir, options.uid);
  let claim = await claimFolder(dir, identity, randomBytes(NONCE_BYTES).toString("base64url"));
  const release = (): Promise<void> => releaseClaim(dir, claim.nonce);
  return {
    dir,
    adminTokenPath: join(dir, ADMIN_TOKEN_FILE),
    readOrCreateAdminToken: () => readOrCreateAdminToken(dir, randomBytes),
    readOrCreateMasterKey: () => readOrCreateMasterKey(dir, randomBytes),
    announce: async (url) => {
      claim = { ...claim, url };
      await updateClaim(dir, claim);
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}

/** The secrets of a folder, which no database has. */
export interface FolderSecrets {
  /** 64 hexadecimal digits. */
  masterKey: string | null;
  adminToken: string | null;
}

/** Reads the secrets in a folder, also if another process has it. */
export async function findSecrets(dir: string): Promise<FolderSecrets> {
  const [masterKey, adminToken] = await Promise.all([
    findSecret(join(dir, MASTER_KEY_FILE)),
    findSecret(join(dir, ADMIN_TOKEN_FILE)),
  ]);
  return { masterKey: masterKey?.trim() ?? null, adminToken: adminToken?.trim() ?? null };
}

/** Puts secrets into a folder that has none. */
export async function putSecrets(dir: string, { masterKey, adminToken }: FolderSecrets): Promise<void> {
  for (const [name, text] of [
    [MASTER_KEY_FILE, masterKey],
    [ADMIN_TOKEN_FILE, adminToken],
  ] as const) {
    if (text === null) continue;
    const path = join(dir, name);
    if ((await findText(path)) !== undefined)
      throw new DataFolderError(`${path} exists already, and is not replaced. Use an empty folder.`);
    await writeDurably(
      path,
      `${text}
`,
    );
  }
}

async function prepare(dir: string, uid: number | undefined): Promise<void> {
  const mode = uid === 0 ? ROOT_MODE : PRIVATE_MODE;
  try {
    await mkdir(dir, { recursive: true });
    await chmod(dir, mode);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataFolderError(
      `The data folder ${dir} cannot be used: ${reason}. Set HOLDPOINT_DATA_DIR to a folder that this user may write.`,
      { cause: error },
    );
  }
}

async function readOrCreateAdminToken(dir: string, randomBytes: DataFolderOptions["randomBytes"]): Promise<string> {
  const path = join(dir, ADMIN_TOKEN_FILE);
  const found = (await findSecret(path))?.trim();
  if (found !== undefined) {
    if (/^hpt_[\w-]{43}$/.test(found)) return found;
    throw new DataFolderError(`${path} does not hold an administrator's token. Remove it, and a new one is generated.`);
  }
  const token = `hpt_${randomBytes(KEY_BYTES).toString("base64url")}`;
  await writeDurably(path, `${token}\n`);
  return token;
}

async function readOrCreateMasterKey(dir: string, randomBytes: DataFolderOptions["randomBytes"]): Promise<Buffer> {
  const path = join(dir, MASTER_KEY_FILE);
  const found = (await findSecret(path))?.trim();
  if (found !== undefined) {
    if (/^[0-9a-f]{64}$/i.test(found)) return Buffer.from(found, "hex");
    // Never replaced: the secrets of the database are encrypted with the lost key.
    throw new DataFolderError(`${path} does not hold 32 bytes as 64 hexadecimal digits. Restore it from a backup.`);
  }
  const key = randomBytes(KEY_BYTES);
  await writeDurably(path, `${key.toString("hex")}\n`);
  return key;
}
