import { describe, expect, it } from "vitest";
import {
  defaultUsername,
  githubApi,
  hookPathOf,
  isRepositoryName,
  parseHostUrl,
  repositoryUrl,
  sendsHooks,
  shownHost,
} from "../../../src/model/repository/git-host.ts";
import type { ShownGitHost } from "../../../src/model/repository/git-host.ts";

describe("the hooks of a host", () => {
  const host = { kind: "GITHUB", hookPath: "p" } as ShownGitHost;

  it("come to an address below the public one, unless it is plain git or that is not known", () => {
    expect([sendsHooks("GITHUB"), sendsHooks("GIT")]).toEqual([true, false]);
    expect([hookPathOf(host), hookPathOf({ ...host, kind: "GIT" })]).toEqual(["/hooks/p", null]);
    expect(shownHost(host, "https://x")).toEqual({ kind: "GITHUB", hookPath: "p", hookUrl: "https://x/hooks/p" });
    expect(shownHost(host, null).hookUrl).toBeNull();
    expect(shownHost({ ...host, kind: "GIT" }, "https://x").hookUrl).toBeNull();
  });
});

it.each([
  ["BITBUCKET_CLOUD", "x-token-auth"],
  ["BITBUCKET_SERVER", "x-token-auth"],
  ["FORGEJO", "git"],
  ["GIT", "git"],
  ["GITEA", "git"],
  ["GITHUB", "x-access-token"],
  ["GITLAB", "oauth2"],
] as const)("a token for %s is sent as %s", (kind, username) => {
  expect(defaultUsername(kind)).toBe(username);
});

describe("the name of a repository", () => {
  it.each(["a", "acme/infrastructure", "a.b/c-d_e~f", "x".repeat(255), "a/".repeat(19) + "a", "...", ".git"])(
    "may be %j",
    (name) => {
      expect(isRepositoryName(name)).toBe(true);
    },
  );

  it.each([
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "a/..",
    "-a",
    "a/-b",
    "a b",
    "a:b",
    "ä",
    "a\n",
    "x".repeat(256),
    "a/".repeat(20) + "a",
  ])("may not be %j", (name) => {
    expect(isRepositoryName(name)).toBe(false);
  });
});

it("the address of a repository ends with .git, but for plain git; git@host: takes the path as it is", () => {
  const at = { kind: "GITHUB", url: "https://github.com" } as const;
  expect(repositoryUrl(at, "a/b")).toBe("https://github.com/a/b.git");
  expect(repositoryUrl(at, "a/b.git")).toBe("https://github.com/a/b.git");
  expect(repositoryUrl(at, ".git/b")).toBe("https://github.com/.git/b.git");
  expect(repositoryUrl({ kind: "GITLAB", url: "git@gitlab.com:" }, "a/b")).toBe("git@gitlab.com:a/b.git");
  expect(repositoryUrl({ kind: "GIT", url: "file:///srv" }, "a")).toBe("file:///srv/a");
});

describe("the address of a host", () => {
  it("has no slash at its end", () => {
    expect(() => parseHostUrl("GITHUB", "https://github.com/")).toThrow("must not end with a slash.");
    expect(parseHostUrl("GITHUB", "https://github.com")).toMatchObject({ protocol: "https" });
  });

  it("is a folder for plain git alone", () => {
    expect(() => parseHostUrl("GITEA", "file:///srv")).toThrow(
      "must begin with https:// or ssh://; folders are hosts of the kind GIT.",
    );
    expect(parseHostUrl("GIT", "file:///srv")).toMatchObject({ protocol: "file" });
    expect(parseHostUrl("GIT", "https://git.example.com")).toMatchObject({ protocol: "https" });
  });
});

it.each([
  ["https://github.com/a/b", "https://api.github.com"],
  ["https://acme.ghe.com/a/b", "https://api.acme.ghe.com"],
  ["https://github.example.com/a/b", "https://github.example.com/api/v3"],
  ["https://ghe.com.example.com:8443/a/b", "https://ghe.com.example.com:8443/api/v3"],
])("the API of %s is at %s", (repository, api) => {
  expect(githubApi(repository)).toBe(api);
});
