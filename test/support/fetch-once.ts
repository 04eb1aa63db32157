/** A program that fetches a repository into the mirrors of a folder, as a server does, and prints the commit. */
import { createHash, randomBytes } from "node:crypto";
import { createGitFetcher } from "../../src/domain/source/git-fetcher.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";

const [folder = "", url = "", certificateFile = ""] = process.argv.slice(2);
const fetcher = await createGitFetcher({
  folder,
  sourceRoots: [],
  inherited: { PATH: process.env["PATH"] ?? "", SSL_CERT_FILE: certificateFile },
  limits: LIMITS,
  allowed: [{ type: "network", address: "127.0.0.0", prefix: 8, port: null }],
  randomBytes: (count) => randomBytes(count),
  mac: (text) => createHash("sha256").update(text).digest(),
});
const variables = Object.entries({ HOLDPOINT_GIT_USERNAME: "ada", HOLDPOINT_GIT_PASSWORD: "password" }).map(
  ([key, value]) => ({ key, value, category: "ENVIRONMENT", sensitive: true, hcl: false }) as const,
);
const { commit } = await fetcher.fetch({ type: "git", url, branch: "main", path: "." }, variables, {
  ignores: [],
  alsoReads: [],
  reported: [],
  others: [],
  scansOf: () => ({ find: async () => new Map(), keep: async () => undefined }),
});
await fetcher[Symbol.asyncDispose]();
process.stdout.write(commit);
