import { expect, it } from "vitest";
import { lazily } from "../../../src/graphql/kit/lazily.ts";

it("each part of a whole is made when it is asked for, once, and of that whole alone", () => {
  const made: string[] = [];
  const part = (name: string) => (given: { of: string }) => {
    made.push(`${name} of ${given.of}`);
    return { name };
  };
  const open = lazily<Record<"head" | "tail", { name: string }>, { of: string }>({
    head: part("head"),
    tail: part("tail"),
  });
  const [cat, dog] = [open({ of: "a cat" }), open({ of: "a dog" })];
  expect(made).toEqual([]);
  expect(cat.tail).toEqual({ name: "tail" });
  expect(cat.tail).toBe(cat.tail);
  expect(dog.tail).not.toBe(cat.tail);
  expect(made).toEqual(["tail of a cat", "tail of a dog"]);
});
