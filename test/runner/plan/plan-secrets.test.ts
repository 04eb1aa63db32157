/** What of a plan is taken for sensitive, and what is shown of it afterwards. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASK } from "../../../src/runner/mask/masked-text.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { describePlan } from "../../../src/runner/plan/plan-content.ts";
import { addressesOf, type PlanJson, parsePlanJson } from "../../../src/runner/plan/plan-json.ts";
import { sensitiveTexts } from "../../../src/runner/plan/plan-secrets.ts";

interface Change {
  before: unknown;
  after: unknown;
  after_unknown?: unknown;
  before_sensitive?: unknown;
  after_sensitive?: unknown;
}

function planOf(change: Change, address = "terraform_data.a"): PlanJson {
  const [type, name] = address.split(".");
  const resource = { address, type, name, change: { actions: ["update"], ...change } };
  return parsePlanJson(JSON.stringify({ format_version: "1.2", resource_changes: [resource] })).plan;
}

const textsOf = (change: Change): string[] => sensitiveTexts(planOf(change)).toSorted();

describe("the sensitive texts of a change", () => {
  it("are those that either side marks, on both sides", () => {
    expect(
      textsOf({
        before: { was: "secret-1", becomes: "secret-2", open: "public" },
        after: { was: "secret-3", becomes: "secret-4", open: "public" },
        before_sensitive: { was: true },
        after_sensitive: { becomes: true },
      }),
    ).toEqual(["secret-1", "secret-2", "secret-3", "secret-4"]);
  });

  it("are not the items of a list that moved to where a sensitive one was", () => {
    const change = {
      before: ["public-1", "secret-1", "public-2"],
      after: ["public-2", "public-1", "new-1", "secret-1"],
      before_sensitive: [false, true, false],
      after_sensitive: [false, false, false, true],
    };
    expect(textsOf(change)).toEqual(["secret-1"]);
    const objects = (names: string[]) => names.map((name) => ({ name, key: `key-${name}` }));
    const moved = {
      before: objects(["one"]),
      after: objects(["two", "one"]),
      before_sensitive: [{ key: true }],
      after_sensitive: [{ key: true }, { key: true }],
    };
    expect(textsOf(moved)).toEqual(["key-one", "key-two"]);
  });

  it("are those of each side alone where the shape changes", () => {
    const change = {
      before: { input: { name: "public-1", key: "secret-1" } },
      after: { input: ["secret-2", "public-2"] },
      before_sensitive: { input: { key: true } },
      after_sensitive: { input: [true] },
    };
    expect(textsOf(change)).toEqual(["secret-1", "secret-2"]);
    expect(textsOf({ ...change, before: null, before_sensitive: false })).toEqual(["secret-2"]);
    expect(textsOf({ ...change, after: null, after_sensitive: false })).toEqual(["secret-1"]);
  });

  it("are those of a set, all of it, and of a map whose other values are unknown", () => {
    const change = {
      before: { set: ["secret-1", "secret-2"], map: { a: "public", b: "secret-3" } },
      after: { set: ["secret-1"], map: { b: "secret-4" } },
      after_unknown: { map: { a: true } },
      before_sensitive: { set: true, map: { b: true } },
      after_sensitive: { set: true, map: { b: true } },
    };
    expect(textsOf(change)).toEqual(["secret-1", "secret-2", "secret-3", "secret-4"]);
  });
});

/** A part of a value on both sides of a change, with all that the engine says about it. */
interface Both extends Required<Change> {
  /** As it may be shown. */
  shown: { before: unknown; after: unknown };
  secrets: string[];
}

const text = fc
  .tuple(fc.constantFrom("word", "object", "string"), fc.stringMatching(/^[a-z]{12}$/))
  .map((all) => all.join("-"));

const leaf: fc.Arbitrary<Both> = fc
  .record({ before: text, after: text, was: fc.boolean(), is: fc.boolean(), unknown: fc.boolean() })
  .map(({ before, after, was, is, unknown }) => {
    const known = unknown ? [before] : [before, after];
    return {
      before,
      after: unknown ? null : after,
      after_unknown: unknown,
      before_sensitive: was,
      after_sensitive: is,
      shown: was || is ? { before: null, after: null } : { before, after: unknown ? null : after },
      secrets: was || is ? known : [],
    };
  });

const both = fc.letrec<{ value: Both }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }).map((all) => joined(all, (parts) => parts)),
    fc.dictionary(fc.constantFrom("name", "keys", "a.b", "__proto__"), tie("value"), { maxKeys: 4 }).map((fields) => {
      const names = Object.keys(fields);
      return joined(Object.values(fields), (parts) => Object.fromEntries(names.map((name, at) => [name, parts[at]])));
    }),
  ),
})).value;

function joined(all: readonly Both[], join: (parts: unknown[]) => unknown): Both {
  const of = (field: keyof Change) => join(all.map((part) => part[field]));
  return {
    before: of("before"),
    after: of("after"),
    after_unknown: of("after_unknown"),
    before_sensitive: of("before_sensitive"),
    after_sensitive: of("after_sensitive"),
    shown: { before: join(all.map(({ shown }) => shown.before)), after: join(all.map(({ shown }) => shown.after)) },
    secrets: all.flatMap(({ secrets }) => secrets),
  };
}

it("of any change every sensitive text is masked and nothing else is, wherever it stands", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("input", "output"), both), (attributes) => {
      const names = Object.keys(attributes);
      const { shown, secrets, ...change } = joined(Object.values(attributes), (parts) =>
        Object.fromEntries(names.map((name, at) => [name, parts[at]])),
      );
      // The key of an instance may be the same as something sensitive.
      const address = `terraform_data.object["${secrets[0] ?? "none"}"]`;
      const plan = planOf(change, address);
      expect(new Set(sensitiveTexts(plan))).toEqual(new Set(secrets));
      const masker = new Masker(6);
      masker.addMarked(sensitiveTexts(plan));
      masker.addAddresses(addressesOf(plan));
      const [described] = describePlan(plan, false, masker).resourceChanges;
      expect(described).toMatchObject({ address, type: "terraform_data" });
      expect({ before: described?.before, after: described?.after }).toEqual(shown);
      const line = `${address}: ${JSON.stringify(change)}`;
      const masked = secrets.reduce(
        (rest, secret) => rest.replaceAll(`"${secret}"`, `"${MASK}"`),
        JSON.stringify(change),
      );
      expect(masker.mask(line)).toBe(`${address}: ${masked}`);
    }),
    { numRuns: 1000 },
  );
});
