import { describe, expect, it } from "vitest";
import { isReplaceable, isTarget, missingInstances, missingTargets } from "../../../src/model/plan/targets.ts";

const INSTANCES = [
  "terraform_data.a",
  'terraform_data.dep["x"]',
  'terraform_data.dep["1"]',
  "terraform_data.list[0]",
  "data.terraform_remote_state.rs",
  "module.one.terraform_data.in",
  'module.many["k"].terraform_data.in',
  'module.many["k"].module.deep[0].terraform_data.in["a.b"]',
];

// What terraform 1.11 plans for each of them.
describe("targets that an engine", () => {
  it.each([
    ["terraform_data.a"],
    ["resource.terraform_data.a"],
    ["terraform_data.dep"],
    ['terraform_data.dep["x"]'],
    ['terraform_data.dep[ "x" ]'],
    ['terraform_data.dep["\\u0078"]'],
    ['terraform_data.dep["1"]'],
    ["terraform_data.list[0]"],
    ["data.terraform_remote_state.rs"],
    ["module.one"],
    ["module.one.terraform_data.in"],
    ["module.many"],
    ['module.many["k"]'],
    ['module.many["k"].terraform_data.in'],
    ['module.many["k"].module.deep'],
    ['module.many["k"].module.deep[0]'],
    ['module.many["k"].module.deep[0].terraform_data.in'],
    ['module.many["k"].module.deep[0].terraform_data.in["a.b"]'],
  ])("finds: %s", (target) => {
    expect(isTarget(target)).toBe(true);
    expect(missingTargets([target], INSTANCES)).toEqual([]);
  });

  it.each([
    ["terraform_data.nope"],
    ["terraform_data.a[0]"],
    ['terraform_data.dep["zzz"]'],
    ["terraform_data.dep[1]"],
    ['terraform_data.list["0"]'],
    ["data.terraform_remote_state.nope"],
    ["terraform_remote_state.rs"],
    ["data.terraform_data.a"],
    ["module.nope"],
    ['module.one["x"]'],
    ["module.one.terraform_data.nope"],
    ['module.many["zz"]'],
    ["module.many.terraform_data.in"],
    ["module.many.module.deep"],
    ["module.deep"],
    ['terraform_data.dep["(sensitive value)"]'],
  ])("does not find: %s", (target) => {
    expect(isTarget(target)).toBe(true);
    expect(missingTargets(["terraform_data.a", target], INSTANCES)).toEqual([target]);
  });

  it.each([
    [""],
    ["a"],
    ["terraform_data"],
    ["-destroy"],
    ["a.b c"],
    ["a.b\n"],
    ["a..b"],
    ["terraform_data.a.output"],
    ["terraform_data.dep.x"],
    ["terraform_data.dep[x]"],
    ["terraform_data[0].a"],
    ['terraform_data.dep["x"'],
    ["terraform_(sensitive value).x"],
    ["module"],
    ["module.one.terraform_data"],
    ["module[0].one"],
    ["data.terraform_remote_state"],
  ])("does not read: %s", (text) => {
    expect(isTarget(text)).toBe(false);
    expect(missingTargets([text], [...INSTANCES, text])).toEqual([text]);
  });
});

it("a key is the same however it is written", () => {
  expect(missingTargets(['a.b["$${c}"]', 'a.c["\\"é\\n"]'], ['a.b["$${c}"]', 'a.c["\\"\\u00e9\\n"]'])).toEqual([]);
});

// What terraform 1.11 takes for `-replace`, and what then replaces something.
describe("addresses to replace", () => {
  it.each([
    ["terraform_data.a"],
    ["resource.terraform_data.a"],
    ['terraform_data.dep["x"]'],
    ['terraform_data.dep["\\u0078"]'],
    ["terraform_data.list[0]"],
    ["module.one.terraform_data.in"],
    ['module.many["k"].module.deep[0].terraform_data.in["a.b"]'],
  ])("are an instance: %s", (address) => {
    expect(isReplaceable(address)).toBe(true);
    expect(missingInstances([address], INSTANCES)).toEqual([]);
  });

  it.each([
    ["terraform_data.nope"],
    ["terraform_data.dep"],
    ["terraform_data.list[1]"],
    ["module.many.terraform_data.in"],
    ['module.many["k"].terraform_data.nope'],
  ])("match no instance: %s", (address) => {
    expect(isReplaceable(address)).toBe(true);
    expect(missingInstances(["terraform_data.a", address], INSTANCES)).toEqual([address]);
  });

  it.each([
    ["data.terraform_remote_state.rs"],
    ["ephemeral.random_password.p"],
    ["module.one.data.a.b"],
    ["module.one"],
    ["-destroy"],
    ["a.b c"],
  ])("are no managed resource: %s", (text) => {
    expect(isReplaceable(text)).toBe(false);
  });

  it.each([["module.one"], ["-destroy"]])("match nothing where they name no instance: %s", (text) => {
    expect(missingInstances([text], [...INSTANCES, text])).toEqual([text]);
  });
});
