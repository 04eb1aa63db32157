import { describe, expect, it } from "vitest";
import { GitSourceRefused, parseBranch, parseGitUrl, parseSubFolder } from "../../../src/model/workspace/git-source.ts";

describe("the address of a repository", () => {
  it.each([
    ["https://github.com/acme/infra.git", "https", "https://github.com", ""],
    ["https://git.example.com:8443/a/b", "https", "https://git.example.com:8443", ""],
    ["https://git.example.com:443/a", "https", "https://git.example.com:443", ""],
    ["https://[::1]:8443/a", "https", "https://[::1]:8443", ""],
    ["ssh://git@github.com/acme/infra.git", "ssh", "", ""],
    ["ssh://github.com:2222/~ada/infra", "ssh", "", ""],
    ["git@github.com:acme/infra.git", "ssh", "", ""],
    ["_a.b-c@h:/a", "ssh", "", ""],
    ["ssh://_a.b-c@h/a", "ssh", "", ""],
    ["ssh://g@a_b.example/a", "ssh", "", ""],
    ["file:///srv/git/a%20b", "file", "", "/srv/git/a b"],
  ])("may be %s", (url, protocol, origin, folder) => {
    expect(parseGitUrl(url)).toEqual({ protocol, url, origin, folder });
  });

  const TEXT = "must have 1 to 2000 characters, all of them ASCII, and no blanks.";
  const FORM =
    "must begin with https://, ssh:// or file://, or have the form git@host:path; other transports are not used.";
  const CREDENTIALS =
    "must not hold credentials, because all readers of the workspace see it. Set the environment variables HOLDPOINT_GIT_USERNAME and HOLDPOINT_GIT_PASSWORD of the workspace.";
  const PARTS = 'must not have parts after "?" or "#".';
  const REPOSITORY = "must name a repository.";
  const SLASHES = "must have three slashes: file:///path/of/the/repository.";
  const NO_HOST = "must name a host.";
  const refused: Record<string, string[]> = {
    [TEXT]: [
      "",
      "--upload-pack=touch /tmp/x",
      "ext::sh -c touch% /tmp/x",
      "https://github.com/a\nb",
      "https://github.com/a\n",
      "https://github.com/a\0b",
      "https://github.com/a b",
      "x git@host:a",
      "git@host:é",
      "é",
      `https://github.com/${"a".repeat(1982)}`,
    ],
    [FORM]: [
      "--upload-pack=x",
      "-oProxyCommand=x",
      "ext::sh",
      "fd::7",
      "http://github.com/acme/infra.git",
      "git://github.com/acme/infra.git",
      "ftp://example.com/a",
      "HTTPS://github.com/a",
      "xhttps://github.com/a",
      "/srv/git/infra",
      "./infra",
      "github.com/acme/infra",
      "https://",
      "https://[::1/a",
      "-oProxyCommand=x@host:a",
      "git@-oProxyCommand=x:a",
      "git@h_st:a",
      "git@host:-a",
      "git@host:--a",
      "git@host:-/a",
      "git@host:/-a",
      "git@host://a",
      "git@host:",
      "git@host:a:b",
    ],
    [CREDENTIALS]: [
      "https://user@github.com/a",
      "https://user:password@github.com/a",
      "ssh://git:password@github.com/a",
      "ssh://:p@github.com/a",
    ],
    [PARTS]: ["https://github.com/a?upload-pack=x", "https://github.com/a#main"],
    [REPOSITORY]: [
      "https://github.com",
      "https://github.com/",
      "https://github.com/a%0ab",
      "https://github.com/a%7fb",
      "https://github.com/a%ff",
      "file:///",
    ],
    [SLASHES]: ["file://host/srv/a", "file://../a"],
    [NO_HOST]: [
      "https://-oProxyCommand=x/a",
      "ssh://-oProxyCommand=x/a",
      "ssh://-l@github.com/a",
      "ssh://a-l$@github.com/a",
      "ssh://github.com$x/a",
      "ssh://$github.com/a",
    ],
  };
  const cases = Object.entries(refused).flatMap(([reason, urls]) => urls.map((url) => [url, reason] as const));
  it.each(cases)("may not be %j", (url, reason) => {
    expect(() => parseGitUrl(url)).toThrow(new GitSourceRefused(reason));
  });

  it("may have as many characters as an address can have", () => {
    const url = `https://github.com/${"a".repeat(1981)}`;
    expect(parseGitUrl(url).url).toBe(url);
  });

  it("is refused without the credentials that it holds", () => {
    expect(() => parseGitUrl("https://ada:s3cret@github.com/a")).not.toThrow(/s3cret/);
  });
});

describe("a branch", () => {
  it.each(["main", "release/1.0", "feature/é-x_y", "a.b", "a@b", "a{", "lock", "a.locks", "a-", "x".repeat(255)])(
    "may be %s",
    (name) => {
      expect(parseBranch(name)).toBe(name);
    },
  );
  it.each([
    "",
    "-x",
    "--upload-pack=x",
    "a b",
    "a..b",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a.lock",
    "a.lock/b",
    "a.",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "a@{1}",
    "@",
    "a\nb",
    "a\0",
    "a\x7fb",
    "x".repeat(256),
  ])("may not be %j", (name) => {
    const reason = "must be the name of a branch, such as main or release/1.0.";
    expect(() => parseBranch(name)).toThrow(new GitSourceRefused(reason));
  });
});

describe("a folder of a repository", () => {
  it.each([
    [".", "."],
    ["", "."],
    ["./", "."],
    ["envs/prod", "envs/prod"],
    ["./envs//prod/", "envs/prod"],
    ["-x", "-x"],
    ["a b", "a b"],
    ["..a/b..", "..a/b.."],
    ["x".repeat(1000), "x".repeat(1000)],
  ])("%j is %s", (path, expected) => {
    expect(parseSubFolder(path)).toBe(expected);
  });
  it.each(["..", "../x", "a/../b", "/etc", "a\\b", "a\nb", "a\0", "a\x7fb", "x".repeat(1001)])(
    "may not be %j",
    (path) => {
      const reason = "must be a folder of the repository: a relative path without .. in it.";
      expect(() => parseSubFolder(path)).toThrow(new GitSourceRefused(reason));
    },
  );
});

it("a refusal is known by its name", () => {
  expect(new GitSourceRefused("must be another.").name).toBe("GitSourceRefused");
});
