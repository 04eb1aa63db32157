/** The refs of a repository as a host lists them, in the two forms that git has. */

import { RefsUnreadable, type RemoteRefs, type WantedRefs } from "../kit/ref-reader.ts";

const BRANCHES = "refs/heads/";
const TAGS = "refs/tags/";
const OID = "[0-9a-f]{40}(?:[0-9a-f]{24})?";

/** Collects lines of a list; refs that were not asked for are left out. */
class RefCollector {
  readonly #wanted: ReadonlySet<string>;
  readonly #tags: boolean;
  readonly #commits = new Map<string, string>();
  #defaultBranch: string | null = null;

  constructor({ branches, tags }: WantedRefs) {
    this.#wanted = new Set(branches.map((name) => BRANCHES + name));
    this.#tags = tags;
  }

  add(ref: string, oid: string): void {
    if (this.#wanted.has(ref) || (this.#tags && ref.startsWith(TAGS))) this.#commits.set(ref, oid);
  }

  addHead(target: string): void {
    if (target.startsWith(BRANCHES)) this.#defaultBranch = target.slice(BRANCHES.length);
  }

  result(): RemoteRefs {
    return { commits: this.#commits, defaultBranch: this.#defaultBranch };
  }
}

/** Returns the prefixes of the wanted refs for protocol 2. */
function refPrefixes({ branches, tags }: WantedRefs): string[] {
  return ["HEAD", ...branches.map((name) => BRANCHES + name), ...(tags ? [TAGS] : [])];
}

const LS_REFS_LINE = new RegExp(`^(${OID}|unborn) ([^ \\n]+)((?: [^\\n]*)?)\\n?$`);

/** Parses the answer to `ls-refs` of protocol 2. Throws RefsUnreadable. */
export function parseLsRefs(answer: Buffer, wanted: WantedRefs): RemoteRefs {
  const refs = new RefCollector(wanted);
  for (const line of packetLines(answer)) {
    const [, oid = "", ref = "", attributes = ""] = LS_REFS_LINE.exec(line) ?? [];
    if (ref === "") throw new RefsUnreadable("The host sent a list of refs that cannot be read.");
    const attribute = (name: string) => new RegExp(` ${name}:([^ ]+)`).exec(attributes)?.[1];
    if (ref === "HEAD") refs.addHead(attribute("symref-target") ?? "");
    else if (oid !== "unborn") refs.add(ref, attribute("peeled") ?? oid);
  }
  return refs.result();
}

/** Splits lines of git's protocol up to the flush at the end. Throws RefsUnreadable. */
function* packetLines(answer: Buffer): Generator<string> {
  for (let at = 0; ; ) {
    const digits = answer.toString("latin1", at, at + 4);
    if (digits === "0000") return;
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0;
    if (length <= 4 || at + length > answer.length) {
      throw new RefsUnreadable("The host sent a list of refs that cannot be read.");
    }
    const line = answer.toString("utf8", at + 4, at + length);
    if (line.startsWith("ERR ")) throw new RefsUnreadable(`The host refuses: ${line.slice(4).trim().slice(0, 200)}`);
    yield line;
    at += length;
  }
}

/** Writes the request of `ls-refs` of protocol 2. */
export function lsRefsRequest(wanted: WantedRefs): Buffer {
  const prefixes = refPrefixes(wanted).map((prefix) => packet(`ref-prefix ${prefix}\n`));
  const head = packet("command=ls-refs\n") + packet("agent=holdpoint\n") + packet("object-format=sha1");
  return Buffer.from(`${head}0001${packet("peel\n")}${packet("symrefs\n")}${prefixes.join("")}0000`);
}

function packet(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, "0") + text;
}

const REMOTE_LINE = new RegExp(`^(${OID})\\t(\\S+?)(\\^\\{\\})?$`);

/** Parses the output of `git ls-remote`, which does not show the default branch. */
export function parseLsRemote(output: string, wanted: WantedRefs): RemoteRefs {
  const refs = new RefCollector(wanted);
  for (const line of output.split("\n")) {
    // The commit of an annotated tag follows the tag.
    const [, oid, ref] = REMOTE_LINE.exec(line) ?? [];
    if (oid !== undefined && ref !== undefined) refs.add(ref, oid);
  }
  return refs.result();
}
