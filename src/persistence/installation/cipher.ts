import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** Seals what must not lie in clear in the database, with keys derived from one master key. */
export interface Cipher {
  /** AES-256-GCM under a key of this owner's own; `owner` is the path of the value, such as `run/run_…/variables`. */
  seal(plain: Uint8Array, owner: string): Buffer;
  /** Throws where the bytes were changed, or sealed for another owner or with another key. */
  open(sealed: Uint8Array, owner: string): Buffer;
  /** A keyed digest for credentials that are derived instead of stored. `purpose` is one of a few words. */
  mac(purpose: string, text: string): Buffer;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** The bytes that a seal adds to its content. */
export const SEAL_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** `masterKey`: 32 bytes. A key per owner keeps the count of nonces per key small. */
export function createCipher(masterKey: Uint8Array): Cipher {
  if (masterKey.length !== KEY_BYTES) throw new Error(`The master key must have ${KEY_BYTES} bytes.`);
  const master = createSecretKey(masterKey);
  const derive = (info: string): Uint8Array => new Uint8Array(hkdfSync("sha256", master, "holdpoint", info, KEY_BYTES));
  // Every request of a runner asks for one of a few; keys of owners are as many as there are values.
  const macKeys = new Map<string, KeyObject>();
  const macKey = (purpose: string): KeyObject => {
    const known = macKeys.get(purpose) ?? createSecretKey(derive(`mac/${purpose}`));
    macKeys.set(purpose, known);
    return known;
  };
  return {
    seal(plain, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", derive(`seal/${owner}`), nonce);
      cipher.setAAD(Buffer.from(owner));
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== VERSION) throw new Error("The sealed value has an unknown version.");
      if (bytes.length < 1 + NONCE_BYTES + TAG_BYTES) throw new Error("The sealed value is too short.");
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", derive(`seal/${owner}`), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const body = bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]);
    },
    mac(purpose, text) {
      return createHmac("sha256", macKey(purpose)).update(text).digest();
    },
  };
}
