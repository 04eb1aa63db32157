/** An authenticator in software, for tests without a browser: without attestation, ES256 unless asked otherwise. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a test may change of an answer that would be accepted. */
export interface Changes {
  origin?: string;
  challenge?: string;
  rpId?: string;
  /** Whether the person was verified, by a PIN or a finger. */
  verified?: boolean;
  counter?: number;
  type?: string;
  /** Signs with another key. */
  forged?: boolean;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const newKeys = {
  ES256: newKey,
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync("ed25519"),
};
type Algorithm = keyof typeof newKeys;

export class SoftPasskey {
  readonly id = randomBytes(16);
  readonly #key;
  readonly #algorithm: Algorithm;
  readonly #origin: string;

  constructor(origin: string, algorithm: Algorithm = "ES256") {
    this.#origin = origin;
    this.#algorithm = algorithm;
    this.#key = newKeys[algorithm]();
  }

  /** Answers the options of a registration, as PublicKeyCredential.toJSON does. */
  create(challenge: string, changes: Changes = {}): object {
    const cose = this.#coseKey();
    const size = Buffer.alloc(2);
    size.writeUInt16BE(this.id.length);
    const data = Buffer.concat([this.#data(changes, ATTESTED), Buffer.alloc(16), size, this.id, cose]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length);
    // A map of three: fmt "none", attStmt of nothing, authData.
    const attestation = Buffer.concat([
      hex("a3"),
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      hex("a0"),
      cborText("authData"),
      hex("59"),
      length,
      data,
    ]);
    return this.#answer({
      clientDataJSON: this.#client("webauthn.create", challenge, changes),
      attestationObject: attestation,
    });
  }

  /** Answers the options of a sign-in. */
  get(challenge: string, changes: Changes = {}): object {
    const client = this.#client("webauthn.get", challenge, changes);
    const data = this.#data(changes, 0);
    const key = changes.forged === true ? newKey() : this.#key;
    const digest = this.#algorithm === "EdDSA" ? null : "sha256";
    const signature = sign(digest, Buffer.concat([data, sha256(client)]), key.privateKey);
    return this.#answer({ clientDataJSON: client, authenticatorData: data, signature });
  }

  #coseKey(): Buffer {
    const { x = "", y = "", n = "" } = this.#key.publicKey.export({ format: "jwk" });
    const part = (text: string): Buffer => Buffer.from(text, "base64url");
    switch (this.#algorithm) {
      case "ES256":
        return Buffer.concat([hex("a5010203262001215820"), part(x), hex("225820"), part(y)]);
      case "EdDSA":
        return Buffer.concat([hex("a4010103272006215820"), part(x)]);
      case "RS256":
        return Buffer.concat([hex("a401030339010020590100"), part(n), hex("2143010001")]);
    }
  }

  #data({ rpId, verified = true, counter = 0 }: Changes, more: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = PRESENT | (verified ? VERIFIED : 0) | more;
    return Buffer.concat([sha256(rpId ?? new URL(this.#origin).hostname), Buffer.of(flags), count]);
  }

  #client(type: string, challenge: string, changes: Changes): Buffer {
    const { origin = this.#origin } = changes;
    const client = {
      type: changes.type ?? type,
      challenge: changes.challenge ?? challenge,
      origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(client));
  }

  #answer(parts: Record<string, Buffer>): object {
    const encoded = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString("base64url")]);
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", response: Object.fromEntries(encoded), clientExtensionResults: {} };
  }
}

function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);
}
