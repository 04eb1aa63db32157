/**
 * Reads the files of one commit as objects. Without a work tree no filter, hook or attribute of the repository applies,
 * and nothing is written to the disk.
 */
import { LIMITS } from "../../model/kit/limits.ts";
import { ByteReader } from "./byte-reader.ts";
import { type GitCall, readGit, streamGit } from "./git-process.ts";
import { arrange, safeName, type SourceEntry, SourceRefused } from "./source-entry.ts";

/** Builds a call of git in the repository. */
export type InRepository = (args: readonly string[], input?: string) => GitCall;

interface Listed {
  mode: string;
  oid: string;
  size: number;
  name: string;
}

const LISTING_BYTES = 64 * 1024 * 1024;
const LINE_BYTES = 1024;
const LINK = "120000";
const EXECUTABLE = "100755";
/** A line of `ls-tree`: mode, oid, size and name. */
const LINE = /^(\d{6}) blob ([0-9a-f]{40,64}) +(\d+)\t([^]+)$/;

/** Returns the commit that the ref points to. */
export async function readCommit(git: InRepository, ref: string): Promise<string> {
  const text = await readGit(git(["rev-parse", "--verify", `${ref}^{commit}`]), LINE_BYTES);
  return text.toString().trim();
}

/**
 * Reads the files and links of a folder of a commit, without submodules. Throws SourceRefused, or GitFailed if the path
 * is no folder.
 */
export async function readTree(git: InRepository, commit: string, path: string): Promise<SourceEntry[]> {
  const tree = path === "." ? `${commit}^{tree}` : `${commit}:${path}`;
  const listing = await readGit(git(["ls-tree", "-r", "-z", "-l", "--full-tree", tree]), LISTING_BYTES);
  const files = listing.toString().split("\0").flatMap(parseLine);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > LIMITS.sourceFiles) throw new SourceRefused(`has more than ${LIMITS.sourceFiles} files.`);
  if (bytes > LIMITS.sourceBytes) {
    throw new SourceRefused(`has ${bytes} bytes; at most ${LIMITS.sourceBytes} can be packed.`);
  }
  const bodies = await readObjects(git, files);
  return arrange(files.map((file, index) => toEntry(file, bodies[index] ?? Buffer.alloc(0))));
}

function parseLine(line: string): Listed[] {
  const [, mode = "", oid = "", size = "", name = ""] = LINE.exec(line) ?? [];
  return oid === "" ? [] : [{ mode, oid, size: Number(size), name: safeName(name) }];
}

function toEntry({ mode, name }: Listed, body: Buffer): SourceEntry {
  const target = mode === LINK ? body.toString() : null;
  return { name, executable: mode === EXECUTABLE, target, read: () => Promise.resolve(body) };
}

async function readObjects(git: InRepository, files: readonly Listed[]): Promise<Buffer[]> {
  if (files.length === 0) return [];
  const input = files.map(({ oid }) => `${oid}\n`).join("");
  const reader = new ByteReader(streamGit(git(["cat-file", "--batch", "--buffer"], input)));
  try {
    const bodies: Buffer[] = [];
    for (const { oid, size } of files) {
      const header = await reader.line(LINE_BYTES);
      if (header !== `${oid} blob ${size}`) throw new Error(`git answered ${JSON.stringify(header)} for ${oid}.`);
      bodies.push(await reader.bytes(size));
      await reader.bytes(1);
    }
    await reader.end();
    return bodies;
  } finally {
    await reader.close();
  }
}
