/** Parses git sources strictly, because they become arguments of git. */

export const GIT_PROTOCOLS = ["https", "ssh", "file"] as const;
export type GitProtocol = (typeof GIT_PROTOCOLS)[number];

export interface GitUrl {
  protocol: GitProtocol;
  /** The address for git. */
  url: string;
  /** Scheme, host and port of `https`, as written in the address; else empty. */
  origin: string;
  /** The absolute folder of `file`; else empty. */
  folder: string;
}

/** The input is refused. The message continues a sentence that begins with the name of the field. */
export class GitSourceRefused extends Error {
  override readonly name = "GitSourceRefused";
}

const MAX_URL = 2000;
const MAX_NAME = 255;
const MAX_PATH = 1000;
const USER = "[A-Za-z0-9_][A-Za-z0-9_.-]*";
const SHORT_SSH = new RegExp(`^${USER}@[A-Za-z0-9][A-Za-z0-9.-]*:(?![-/]{2}|-)[^:]+$`);
const HOST = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])$/;

/**
 * Parses the address of a repository: https, ssh (also as `git@host:path`), or file. Refuses credentials, and texts
 * that git could read as an option, a transport helper (`ext::`) or a second line. Throws GitSourceRefused.
 */
export function parseGitUrl(text: string): GitUrl {
  if (text.length > MAX_URL || !/^[\x21-\x7e]+$/.test(text)) {
    throw new GitSourceRefused(`must have 1 to ${MAX_URL} characters, all of them ASCII, and no blanks.`);
  }
  if (SHORT_SSH.test(text)) return { protocol: "ssh", url: text, origin: "", folder: "" };
  const protocol = GIT_PROTOCOLS.find((known) => text.startsWith(`${known}://`));
  if (protocol === undefined || !URL.canParse(text)) {
    throw new GitSourceRefused(
      "must begin with https://, ssh:// or file://, or have the form git@host:path; other transports are not used.",
    );
  }
  const url = new URL(text);
  const { username, password, hostname, pathname } = url;
  if (password !== "" || (protocol === "https" && username !== "")) {
    throw new GitSourceRefused(
      "must not hold credentials, because all readers of the workspace see it. Set the environment variables " +
        "HOLDPOINT_GIT_USERNAME and HOLDPOINT_GIT_PASSWORD of the workspace.",
    );
  }
  if (url.search !== "" || url.hash !== "") throw new GitSourceRefused('must not have parts after "?" or "#".');
  if (pathname.length < 2 || !isDecodable(pathname)) throw new GitSourceRefused("must name a repository.");
  if (protocol === "file") {
    if (hostname !== "") throw new GitSourceRefused("must have three slashes: file:///path/of/the/repository.");
    return { protocol, url: text, origin: "", folder: decodeURIComponent(pathname) };
  }
  const isUser = username === "" || new RegExp(`^${USER}$`).test(username);
  if (!HOST.test(hostname) || !isUser) throw new GitSourceRefused("must name a host.");
  const origin = protocol === "https" ? text.slice(0, text.indexOf("/", "https://".length)) : "";
  return { protocol, url: text, origin, folder: "" };
}

function isDecodable(path: string): boolean {
  try {
    return !/[\0-\x1f\x7f]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** Parses the name of a branch by git's rules; refuses options and patterns. Throws GitSourceRefused. */
export function parseBranch(text: string): string {
  const parts = text.split("/");
  const isPart = (part: string): boolean => part !== "" && !part.startsWith(".") && !/\.(?:lock)?$/.test(part);
  const isName = !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(text) && !text.startsWith("-") && text !== "@";
  if (text.length <= MAX_NAME && isName && parts.every(isPart)) return text;
  throw new GitSourceRefused("must be the name of a branch, such as main or release/1.0.");
}

/** Normalises a folder of the repository; `.` is the whole of it. Throws GitSourceRefused. */
export function parseSubFolder(text: string): string {
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  if (text.length > MAX_PATH || /[\0-\x1f\x7f\\]/.test(text) || text.startsWith("/") || parts.includes("..")) {
    throw new GitSourceRefused("must be a folder of the repository: a relative path without .. in it.");
  }
  return parts.join("/") || ".";
}
