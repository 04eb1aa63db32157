/**
 * Reads the objects of a repository by one process of git. Without a work tree no filter, hook or attribute of the
 * repository applies, and nothing is written to the disk.
 */
import { PassThrough } from "node:stream";
import type { ReadBudget, TreeEntry } from "../kit/commit-objects.ts";
import { ByteReader } from "./byte-reader.ts";
import { type GitCall, GitFailed, streamGit } from "./git-process.ts";

/** Builds a call of git in the repository. */
export type InRepository = (args: readonly string[], input?: string) => GitCall;

/** Fetches objects that a partial clone does not have. */
export type FetchMissing = (oids: readonly string[]) => Promise<void>;

const LINE_BYTES = 1024;
/** A folder has far fewer names than this. */
const TREE_BYTES = 64 * 1024 * 1024;
/** A message of a commit may be long. */
const COMMIT_BYTES = 16 * 1024 * 1024;
const MESSAGE_BYTES = 64 * 1024;

interface Request {
  oid: string;
  /** `null`: only whether the object is there. */
  budget: ReadBudget | null;
  answer: (object: GitObject | "MISSING") => void;
  fail: (error: unknown) => void;
}

interface GitObject {
  type: string;
  size: number;
  /** `null` if it is larger than was asked for. */
  body: Buffer | null;
}

export class GitObjects implements AsyncDisposable {
  readonly #input = new PassThrough();
  readonly #reader: ByteReader;
  readonly #fetchMissing: FetchMissing | null;
  readonly #requests: Request[] = [];
  #reading: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;
  #missing: { oids: string[]; fetched: Promise<void> } | null = null;

  constructor(git: InRepository, fetchMissing: FetchMissing | null) {
    this.#reader = new ByteReader(streamGit({ ...git(["cat-file", "--batch-command"]), input: this.#input }));
    this.#fetchMissing = fetchMissing;
  }

  /** Returns the root folder of a commit. */
  async rootTree(commit: string): Promise<string> {
    const { type, body } = await this.#read(commit, { left: COMMIT_BYTES });
    const tree = /^tree ([0-9a-f]{40,64})\n/.exec(body?.toString("latin1") ?? "")?.[1];
    if (type !== "commit" || tree === undefined) throw new GitFailed(`${commit} is not a commit`);
    return tree;
  }

  async readTree(oid: string): Promise<TreeEntry[]> {
    const { type, body } = await this.#read(oid, { left: TREE_BYTES });
    if (type !== "tree" || body === null) throw new GitFailed(`${oid} is not a tree object`);
    return parseTree(body, oid.length / 2);
  }

  /** Returns `null` for a file of more than `maxBytes`. */
  readBlob(oid: string, maxBytes: number): Promise<Buffer | null> {
    return this.readWithin(oid, { left: maxBytes });
  }

  /** Returns `null` for a file that is larger than the budget, which is used up by then. */
  async readWithin(oid: string, budget: ReadBudget): Promise<Buffer | null> {
    return (await this.#read(oid, budget)).body;
  }

  /** Returns the message of a commit, of which the first 64 KiB. */
  async messageOf(commit: string): Promise<string> {
    const body = (await this.#read(commit, { left: COMMIT_BYTES })).body ?? Buffer.alloc(0);
    const start = body.indexOf("\n\n");
    return start < 0 ? "" : body.toString("utf8", start + 2, start + 2 + MESSAGE_BYTES);
  }

  /** Whether an object is there; one that is missing is not fetched. */
  async has(oid: string): Promise<boolean> {
    return (await this.#request(oid, null)) !== "MISSING";
  }

  /** Fetches those that are missing, together. */
  async prefetch(oids: readonly string[]): Promise<void> {
    const fetchIfMissing = async (oid: string): Promise<void> => {
      if ((await this.#request(oid, null)) === "MISSING") await this.#fetch(oid);
    };
    await Promise.all(oids.map(fetchIfMissing));
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#failure ??= { error: new Error("The repository is closed.") };
    this.#input.end();
    await this.#reader.close();
    await this.#reading;
  }

  async #read(oid: string, budget: ReadBudget): Promise<GitObject> {
    const object = await this.#request(oid, budget);
    if (object !== "MISSING") return object;
    await this.#fetch(oid);
    const fetched = await this.#request(oid, budget);
    if (fetched === "MISSING") throw new GitFailed(`the repository does not have the object ${oid}`);
    return fetched;
  }

  /** Fetches an object together with all others that are missed in the same turn. */
  #fetch(oid: string): Promise<void> {
    const fetchMissing = this.#fetchMissing;
    if (fetchMissing === null) throw new GitFailed(`the repository does not have the object ${oid}`);
    const waiting = this.#missing;
    if (waiting !== null) {
      waiting.oids.push(oid);
      return waiting.fetched;
    }
    const missing = { oids: [oid], fetched: Promise.resolve() };
    missing.fetched = this.#idle().then(() => {
      this.#missing = null;
      return fetchMissing(missing.oids);
    });
    this.#missing = missing;
    return missing.fetched;
  }

  /** Waits until all requests are answered, and their callers had a turn to send further ones. */
  async #idle(): Promise<void> {
    do {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      await this.#reading;
    } while (this.#requests.length > 0);
  }

  #request(oid: string, budget: ReadBudget | null): Promise<GitObject | "MISSING"> {
    if (this.#failure !== null) return Promise.reject(toError(this.#failure.error));
    const { promise, resolve, reject } = Promise.withResolvers<GitObject | "MISSING">();
    this.#requests.push({ oid, budget, answer: resolve, fail: reject });
    this.#input.write(`${budget === null ? "info" : "contents"} ${oid}\n`);
    this.#reading ??= this.#answerAll();
    return promise;
  }

  async #answerAll(): Promise<void> {
    try {
      for (let request = this.#requests[0]; request !== undefined; request = this.#requests[0]) {
        const object = await this.#readObject(request);
        this.#requests.shift();
        request.answer(object);
      }
    } catch (reason) {
      // A stream that ends early, or an answer that is none: the process is of no use any more.
      const error = reason instanceof Error ? new GitFailed(reason.message, { cause: reason }) : reason;
      this.#failure ??= { error };
      for (const { fail } of this.#requests.splice(0)) fail(error);
    } finally {
      this.#reading = null;
    }
  }

  async #readObject({ oid, budget }: Request): Promise<GitObject | "MISSING"> {
    const header = await this.#reader.line(LINE_BYTES);
    if (header === `${oid} missing`) return "MISSING";
    const [, type = "", digits = ""] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(header) ?? [];
    if (type === "" || !header.startsWith(oid)) throw new Error(`git answered ${JSON.stringify(header)} for ${oid}.`);
    const size = Number(digits);
    if (budget === null) return { type, size, body: null };
    budget.left -= size;
    const body = budget.left < 0 ? null : await this.#reader.bytes(size);
    await this.#reader.skip(body === null ? size + 1 : 1);
    return { type, size, body };
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Reads a folder as git stores it: mode, name, and the oid in binary. */
function parseTree(body: Buffer, oidBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < body.length; ) {
    const blank = body.indexOf(0x20, at);
    const end = body.indexOf(0, blank);
    if (blank < 0 || end < 0 || end + 1 + oidBytes > body.length) throw new GitFailed("not a tree object");
    const mode = body.toString("latin1", at, blank).padStart(6, "0");
    const oid = body.toString("hex", end + 1, end + 1 + oidBytes);
    entries.push({ mode, name: body.toString("utf8", blank + 1, end), oid });
    at = end + 1 + oidBytes;
  }
  return entries;
}
