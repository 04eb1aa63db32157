import { expect, test } from "vitest";
import { hideDeclared, maskCommand } from "../../../src/runner/mask/mask-command.ts";
import { MASK } from "../../../src/runner/mask/masked-text.ts";

test("a line declares what stands behind the command, spaces included", () => {
  expect(maskCommand("::add-mask::hunter2")).toBe("hunter2");
  expect(maskCommand(" \t ::add-mask:: pass word ")).toBe(" pass word ");
  expect(maskCommand("::add-mask::")).toBe("");
  expect(maskCommand("::add-mask::a::add-mask::b")).toBe("a::add-mask::b");
  expect(maskCommand("::add-mask::of\u2028two")).toBe("of\u2028two");
});

test("a command within a line declares nothing", () => {
  for (const line of ["", "hunter2", "echo ::add-mask::hunter2", "+::add-mask::hunter2", ":add-mask::hunter2"]) {
    expect(maskCommand(line), line).toBeNull();
  }
});

test("percent signs and line breaks are written as escapes, in either case", () => {
  expect(maskCommand("::add-mask::50%25%0D%0Aof %0d%0a it%0a")).toBe("50%\r\nof \r\n it\n");
  expect(maskCommand("::add-mask::%2525 %41 %0B %0")).toBe("%25 %41 %0B %0");
});

test("a quoted declaration is hidden up to the end of its line", () => {
  expect(hideDeclared('echo "::add-mask::it\'s" && x')).toBe(`echo "::add-mask::${MASK}`);
  expect(hideDeclared("a ::add-mask::one\nb\r\nc ::add-mask::two\r\nd")).toBe(
    `a ::add-mask::${MASK}\nb\r\nc ::add-mask::${MASK}\r\nd`,
  );
  expect(hideDeclared("::add-mask::$1 and $&")).toBe(`::add-mask::${MASK}`);
});

test("the name of a variable stays, as does a text without a value", () => {
  for (const text of [
    "echo ::add-mask::$TOKEN",
    "echo ::add-mask::$token_2 && x",
    "echo ::add-mask::$_x",
    "echo ::add-mask::${TOKEN}",
    "echo ::add-mask::$(pass show it)",
    "echo ::add-mask::",
    "add-mask: hunter2",
  ]) {
    expect(hideDeclared(text), text).toBe(text);
  }
});
