import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { folderOfGlob, namePattern, pathPattern, patternProblem } from "../../../src/domain/kit/patterns.ts";
import { createRandom } from "../../support/random.ts";

describe("a glob", () => {
  it.each([
    ["*.tf", ["main.tf", ".tf"], ["a/main.tf", "main.tfvars", "MAIN.TF"]],
    ["**/*.md", ["README.md", "a/b/c.md", ".github/x.md"], ["a.mdx"]],
    ["envs/**", ["envs/a", "envs/a/.b"], ["envsx/a", "a/envs/b"]],
    ["**/LICENSE*", ["LICENSE", "a/LICENSE.txt"], ["a/MY-LICENSE"]],
    ["{dev,prod}/?.tf", ["dev/a.tf", "prod/b.tf"], ["stage/a.tf", "dev/ab.tf"]],
    ["v[0-9].*", ["v1.2"], ["va.2", "v12"]],
    ["a+(b)", ["a+b"], ["ab", "abb"]],
    ["!main", ["!main"], ["other"]],
  ])("%s", (glob, matching, others) => {
    const matches = pathPattern(glob);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  it("matches what picomatch matches, which reads the globs", () => {
    const random = createRandom(1);
    const parts = ["a", "b", ".x", "*", "**", "?", "[ab]", "{a,b*}", "a*b", "*.tf"];
    const names = ["a", "b", "ab", "axb", ".x", "a.tf", "..."];
    const some = (from: readonly string[]): string =>
      Array.from({ length: 1 + random.below(4) }, () => random.pick(from) ?? "").join("/");
    for (let round = 0; round < 3000; round += 1) {
      const [glob, path] = [some(parts), some(names)];
      const options = { dot: true, noextglob: true, nonegate: true, strictSlashes: true };
      expect([glob, path, pathPattern(glob)(path)]).toEqual([glob, path, picomatch(glob, options)(path)]);
    }
  });

  it("with many wildcards takes no longer than one with few: it would never end by trying each way", () => {
    const matches = pathPattern(`${"*a".repeat(100)}b`);
    expect(matches("a".repeat(4000))).toBe(false);
    expect(pathPattern("**/*a/".repeat(30))(`${"a/".repeat(1000)}c`)).toBe(false);
  });

  it("names a folder before its wildcards", () => {
    expect(folderOfGlob("envs/prod/*.tfvars")).toBe("envs/prod");
    expect(folderOfGlob("**/*.tf")).toBe("");
    expect(folderOfGlob("envs/prod")).toBeNull();
  });
});

describe("a pattern of names", () => {
  it("is a glob, or an expression between slashes", () => {
    expect(["v1", "v2/x", "w1"].map(namePattern("v*"))).toEqual([true, false, false]);
    expect(["v1", "v12", "xv1"].map(namePattern("/^v\\d$/"))).toEqual([true, false, false]);
    expect(namePattern("/(a+)+$/")(`${"a".repeat(5000)}b`)).toBe(false);
  });

  it("is refused with the reason", () => {
    expect(patternProblem(namePattern, "v*")).toBeNull();
    expect(patternProblem(namePattern, "/(/")).toMatch(/missing closing \)/);
  });
});
