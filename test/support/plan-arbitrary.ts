/** Plans as an engine describes them, generated: all that a change of a resource can be, and what makes a plan incomplete. */
import fc from "fast-check";

/** Mostly what takes nothing away, so that many plans are safe. */
const actions = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<string[]>(["create"], ["update"], ["no-op"], ["read"]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<string[]>(
      ["delete"],
      ["forget"],
      ["delete", "create"],
      ["create", "delete"],
      ["create", "forget"],
      ["forget", "create"],
    ),
  },
);

const change = fc.record(
  {
    actions,
    before: fc.constantFrom(null, { size: 1, tags: { a: "x" } }),
    after: fc.constantFrom(null, { size: 2, tags: {} }),
    after_unknown: fc.constantFrom({}, { size: true }, true),
    before_sensitive: fc.constantFrom(false, { size: true }),
    importing: fc.constantFrom(null, { id: "i-1" }),
    replace_paths: fc.constantFrom([["size"]], [["tags", "a"], ["size"]]),
  },
  { requiredKeys: ["actions"] },
);

const resource = fc.record(
  {
    address: fc.constantFrom("test_instance.a", 'module.m["k"].test_instance.b[0]', "data.test_image.c"),
    mode: fc.constantFrom("managed", "data"),
    type: fc.constant("test_instance"),
    name: fc.constant("a"),
    previous_address: fc.constantFrom("test_instance.old", "test_instance.a"),
    deposed: fc.constant("b1946ac9"),
    action_reason: fc.constantFrom("replace_because_tainted", "delete_because_no_resource_config"),
    change,
  },
  { requiredKeys: ["address", "mode", "type", "name", "change"] },
);

const output = fc.record({ actions: fc.constantFrom(["create"], ["update"], ["delete"], ["no-op"]) });
const few = <Item>(item: fc.Arbitrary<Item>, maxLength: number) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Item[]>([]) },
    { weight: 1, arbitrary: fc.array(item, { minLength: 1, maxLength }) },
  );

/** A plan as `show -json` describes it. */
export const planDocuments = fc.record(
  {
    format_version: fc.constant("1.2"),
    complete: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    resource_changes: fc.array(resource, { maxLength: 6 }),
    resource_drift: few(resource, 2),
    output_changes: fc.dictionary(fc.constantFrom("url", "size"), output),
    deferred_changes: few(fc.record({ reason: fc.constant("instance_count_unknown"), resource_change: resource }), 2),
    action_invocations: few(fc.record({ address: fc.constant("action.a.b"), type: fc.constant("a") }), 2),
  },
  { requiredKeys: ["format_version", "resource_changes"] },
);
