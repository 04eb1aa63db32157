import { readFile } from "node:fs/promises";

/** Reads the certificates of authorities that replace those of Node, as git does; `undefined` if none are set or readable. */
export async function readCertificates(inherited: Readonly<Record<string, string>>): Promise<Buffer | undefined> {
  const path = inherited["SSL_CERT_FILE"];
  return path === undefined ? undefined : await readFile(path).catch(() => undefined);
}
