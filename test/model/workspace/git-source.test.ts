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
    ["file:///srv/git/a%20b", "file", "", "/srv/git/a b"],
  ])("may be %s", (url, protocol, origin, folder) => {
    expect(parseGitUrl(url)).toEqual({ protocol, url, origin, folder });
  });

  it.each([
    "",
    "--upload-pack=touch /tmp/x",
    "--upload-pack=x",
    "-oProxyCommand=x",
    "ext::sh -c touch% /tmp/x",
    "ext::sh",
    "fd::7",
    "http://github.com/acme/infra.git",
    "git://github.com/acme/infra.git",
    "ftp://example.com/a",
    "HTTPS://github.com/a",
    "/srv/git/infra",
    "./infra",
    "github.com/acme/infra",
    "https://github.com",
    "https://github.com/",
    "https://github.com/a\nb",
    "https://github.com/a\n",
    "https://github.com/a%0ab",
    "https://github.com/a\0b",
    "https://github.com/a b",
    "https://user@github.com/a",
    "https://user:password@github.com/a",
    "https://github.com/a?upload-pack=x",
    "https://github.com/a#main",
    "https://-oProxyCommand=x/a",
    "ssh://-oProxyCommand=x/a",
    "ssh://git:password@github.com/a",
    "ssh://-l@github.com/a",
    "-oProxyCommand=x@host:a",
    "git@-oProxyCommand=x:a",
    "git@host:-a",
    "git@host:",
    "git@host:a:b",
    "file://host/srv/a",
    "file://../a",
    "file:///",
    `https://github.com/${"a".repeat(2000)}`,
  ])("may not be %j", (url) => {
    expect(() => parseGitUrl(url)).toThrow(GitSourceRefused);
  });

  it("says where credentials belong, and does not repeat them", () => {
    const refuse = (): unknown => parseGitUrl("https://ada:s3cret@github.com/a");
    expect(refuse).toThrow(/HOLDPOINT_GIT_PASSWORD/);
    expect(refuse).not.toThrow(/s3cret/);
  });
});

describe("a branch", () => {
  it.each(["main", "release/1.0", "feature/é-x_y", "a.b", "x".repeat(255)])("may be %s", (name) => {
    expect(parseBranch(name)).toBe(name);
  });
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
    "x".repeat(256),
  ])("may not be %j", (name) => {
    expect(() => parseBranch(name)).toThrow(GitSourceRefused);
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
  ])("%j is %s", (path, expected) => {
    expect(parseSubFolder(path)).toBe(expected);
  });
  it.each(["..", "../x", "a/../b", "/etc", "a\\b", "a\nb", "a\0", "x".repeat(1001)])("may not be %j", (path) => {
    expect(() => parseSubFolder(path)).toThrow(GitSourceRefused);
  });
});
