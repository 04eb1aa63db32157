import { expect, it } from "vitest";
import { commitUrl } from "../../../src/model/repository/commit-url.ts";
import { GIT_HOST_KINDS, type GitHostKind } from "../../../src/model/repository/git-host.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";

it.each<[GitHostKind, string, string]>([
  ["GITHUB", "https://github.com/acme/infra.git", `https://github.com/acme/infra/commit/${SHA}`],
  ["GITHUB", "https://git.acme.example:8443/acme/infra.git", `https://git.acme.example:8443/acme/infra/commit/${SHA}`],
  ["GITLAB", "https://gitlab.com/acme/team/infra.git", `https://gitlab.com/acme/team/infra/-/commit/${SHA}`],
  ["GITLAB", "https://acme.example/gitlab/a/b.git", `https://acme.example/gitlab/a/b/-/commit/${SHA}`],
  ["GITEA", "https://git.acme.example/acme/infra.git", `https://git.acme.example/acme/infra/commit/${SHA}`],
  ["FORGEJO", "http://git.acme.example/acme/infra.git", `http://git.acme.example/acme/infra/commit/${SHA}`],
  ["BITBUCKET_CLOUD", "https://bitbucket.org/acme/infra.git", `https://bitbucket.org/acme/infra/commits/${SHA}`],
  [
    "BITBUCKET_SERVER",
    "https://acme.example/bitbucket/scm/NET/infra.git",
    `https://acme.example/bitbucket/projects/NET/repos/infra/commits/${SHA}`,
  ],
  [
    "BITBUCKET_SERVER",
    "https://b.example/scm/~ada/infra.git",
    `https://b.example/users/ada/repos/infra/commits/${SHA}`,
  ],
])("is a page of the host: %s %s", (kind, url, page) => {
  expect(commitUrl(kind, url, SHA)).toBe(page);
});

it("takes names of commits by SHA-256 as well, and nothing else that could follow in a path", () => {
  const url = "https://github.com/acme/infra.git";
  expect(commitUrl("GITHUB", url, "a".repeat(64))).toBe(`https://github.com/acme/infra/commit/${"a".repeat(64)}`);
  for (const commit of ["", "main", "A".repeat(40), "a".repeat(41), `${SHA}\n`, `../${SHA}`, "a?b#c"]) {
    expect(commitUrl("GITHUB", url, commit), commit).toBeNull();
  }
});

it.each<[GitHostKind, string, string | null]>([
  ["GITHUB", "git@github.com:acme/infra.git", `https://github.com/acme/infra/commit/${SHA}`],
  ["GITHUB", "ssh://git@github.com:22/acme/infra.git", `https://github.com/acme/infra/commit/${SHA}`],
  ["GITLAB", "git@gitlab.com:/acme/infra.git", `https://gitlab.com/acme/infra/-/commit/${SHA}`],
  ["BITBUCKET_CLOUD", "ssh://git@bitbucket.org/acme/infra.git", `https://bitbucket.org/acme/infra/commits/${SHA}`],
  ["FORGEJO", "ssh://git@codeberg.org/acme/infra.git", `https://codeberg.org/acme/infra/commit/${SHA}`],
  ["GITEA", "git@gitea.com:acme/infra.git", `https://gitea.com/acme/infra/commit/${SHA}`],
  ["GITHUB", "git@git.acme.example:acme/infra.git", null],
  ["GITHUB", "ssh://git@gitlab.com/acme/infra.git", null],
  ["BITBUCKET_SERVER", "ssh://git@b.example:7999/scm/NET/infra.git", null],
])("by ssh has pages only at the public host of its kind: %s %s", (kind, url, page) => {
  expect(commitUrl(kind, url, SHA)).toBe(page);
});

it("has no page at plain git, on a disk, or at Bitbucket without the path of its projects", () => {
  expect(commitUrl("GIT", "https://git.acme.example/infra", SHA)).toBeNull();
  expect(commitUrl("GITHUB", "file:///srv/git/infra.git", SHA)).toBeNull();
  expect(commitUrl("BITBUCKET_SERVER", "https://b.example/projects/NET/infra.git", SHA)).toBeNull();
  expect(commitUrl("BITBUCKET_SERVER", "https://b.example/infra.git", SHA)).toBeNull();
});

it.each([
  "https://ada:s3cret@github.com/acme/infra.git",
  "https://s3cret@github.com/acme/infra.git",
  "http://:s3cret@github.com/acme/infra.git",
  "ssh://git:s3cret@github.com/acme/infra.git",
  "https://github.com/acme/infra.git?token=s3cret",
  "https://github.com/acme/infra.git#s3cret",
])("never has credentials, or what follows a path: %s", (url) => {
  for (const kind of GIT_HOST_KINDS) expect(commitUrl(kind, url, SHA) ?? "").not.toMatch(/s3cret|ada|@/);
  expect(commitUrl("GITHUB", url, SHA)).toMatch(/^https?:\/\/github\.com\/acme\/infra\/commit\//);
});

it.each([
  "javascript:alert(1)//github.com/a/b",
  "data:text/html,<script>/a",
  "ext::sh -c x/a/b",
  "ftp://github.com/acme/infra.git",
  "vbscript:x@github.com:a/b",
  "https://",
  "https://github.com",
  "https://github.com//infra.git",
  "https://github.com/acme/.git",
  "",
  "/acme/infra",
  "git@evil.example/github.com:acme/infra",
])("is never another scheme, and never an address without a repository: %s", (url) => {
  for (const kind of GIT_HOST_KINDS) expect(commitUrl(kind, url, SHA), kind).toBeNull();
});

it("keeps quotes, blanks and markup in a path encoded", () => {
  const page = commitUrl("GITHUB", 'https://github.com/a"b/<c d>.git', SHA);
  expect(page).toBe(`https://github.com/a%22b/%3Cc%20d%3E/commit/${SHA}`);
});
