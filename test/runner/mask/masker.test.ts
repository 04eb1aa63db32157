import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineMasker } from "../../../src/runner/mask/line-masker.ts";
import { MASK } from "../../../src/runner/mask/masked-text.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";

test("values, their lines and their escaped forms are masked; short ones are not", () => {
  const masker = new Masker(6);
  masker.add(["short", "longer", 'first line\nsecond "line"', "<html&>", "a+b(c)[d"]);
  expect(masker.mask("short longer")).toBe(`short ${MASK}`);
  expect(masker.mask('x second "line" y')).toBe(`x ${MASK} y`);
  expect(masker.mask(JSON.stringify({ v: 'first line\nsecond "line"' }))).toBe(`{"v":"${MASK}"}`);
  expect(masker.mask("\\u003chtml\\u0026\\u003e <html&>")).toBe(`${MASK} ${MASK}`);
  expect(masker.mask("a+b(c)[d")).toBe(MASK);
});

test("a value of several lines gets one mark where it stands as it is, and one a line where it was broken anew", () => {
  const masker = new Masker(6);
  masker.add(["-----BEGIN KEY-----\nabcdefghijkl\nmn\n-----END KEY-----\n"]);
  expect(masker.mask("key: -----BEGIN KEY-----\nabcdefghijkl\nmn\n-----END KEY-----\nend")).toBe(`key: ${MASK}\nend`);
  expect(masker.mask("-----BEGIN KEY-----\n  abcdef\n  ghijkl\n  mn\n  -----END KEY-----")).toBe(
    `${MASK}\n  ${MASK}\n  ${MASK}\n  ${MASK}\n  ${MASK}`,
  );
});

test("what is carried over to the next lines is no more than a value may be, whatever it is padded with", () => {
  const masker = new Masker(6);
  masker.add(["a b".repeat(100)]);
  let seen = 0;
  const find = (text: string) => {
    seen += text.length;
    return masker.find(text);
  };
  const mask = (text: string) => masker.mask(text);
  const lines = new LineMasker<null>({ find, mask });
  for (let line = 0; line < 20; line += 1) lines.push("", "", `ab${" ".repeat(10_000)}ab`, null);
  for (let line = 0; line < 100; line += 1) lines.push("", "", "", null);
  expect(seen).toBeLessThan(500_000);
});

test("a value that is long enough with its spaces alone is masked at both ends of a line", () => {
  const masker = new Masker(6);
  masker.add([" hunt "]);
  expect(masker.mask("x hunt ")).toBe(`x${MASK}`);
  expect(masker.mask("x hunt \ny")).toBe(`x${MASK}\ny`);
  expect(masker.mask("y\n hunt y")).toBe(`y\n${MASK}y`);
  expect(masker.mask("x hunt")).toBe("x hunt");
});

test("the end of a text is masked only if a value is complete", () => {
  const masker = new Masker(6);
  expect(masker.longest).toBe(0);
  masker.add(["hunter2-hunter2"]);
  // Its hexadecimal form.
  expect(masker.longest).toBe(30);
  expect(masker.mask("x hunter2-hunter")).toBe("x hunter2-hunter");
  expect(masker.mask("x\nhunter2-hunter")).toBe("x\nhunter2-hunter");
  expect(masker.mask("")).toBe("");
});

test("an address is no beginning of a value, and masks nothing before the line that it is searched in", () => {
  const masker = new Masker(6);
  masker.addAddresses(["terraform_data.database"]);
  masker.addMarked(["database", "database-and-more", "hunter2"]);
  expect(masker.find("x terraform_data.database")).toEqual({ spans: [], open: 25 });
  expect(masker.find("x database")).toEqual({ spans: [[2, 10]], open: 2 });
  expect(masker.find("hunter2xterraform_data.database", 8)).toEqual({ spans: [[0, 7]], open: 31 });
  expect(masker.find("terraform_data.database", 1).spans).toEqual([[15, 23]]);
  const longer = new Masker(6);
  longer.addAddresses(["terraform_data.database"]);
  longer.addMarked(["database-and-more"]);
  expect(longer.find("x terraform_data.database")).toEqual({ spans: [], open: 25 });
  expect(longer.find("x database")).toEqual({ spans: [], open: 2 });
  const fresh = new Masker(6);
  fresh.addMarked(["object"]);
  expect(fresh.mask("a.object")).toBe(`a.${MASK}`);
  expect(fresh.maskAddress("a.object")).toBe("a.object");
});

test("the longest value wins, and later values count", () => {
  const masker = new Masker(6);
  masker.add(["secret"]);
  expect(masker.mask("secret-and-more")).toBe(`${MASK}-and-more`);
  masker.add(["secret-and-more"]);
  expect(masker.mask("secret-and-more")).toBe(MASK);
});

test("no value survives in any text", () => {
  const values = fc.array(
    fc.string({ minLength: 6, maxLength: 12 }).filter((s) => s.trim().length >= 6 && !MASK.includes(s)),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(values, fc.string(), (secrets, between) => {
      const masker = new Masker(6);
      masker.add(secrets);
      const [first = ""] = secrets;
      return !masker
        .mask(between + first + between)
        .replaceAll(MASK, "")
        .includes(first);
    }),
  );
});

describe("addresses", () => {
  const masker = new Masker(6);
  masker.addAddresses(['module.network.terraform_data.subnet["object"]', 'terraform_data.service["declared"]']);
  masker.addMarked(["object", "network", "subnet", "service", "terraform_data"]);
  masker.add(["declared"]);

  test("are not masked where the engine names them, but what stands beside them is", () => {
    const line = 'module.network.terraform_data.subnet["object"]: Creation complete [id=object]';
    expect(masker.mask(line)).toBe(line.replace("id=object", `id=${MASK}`));
    expect(masker.mask('  + resource "terraform_data" "subnet" {')).toBe('  + resource "terraform_data" "subnet" {');
    expect(masker.mask('in module "network": network')).toBe(`in module "network": ${MASK}`);
    expect(masker.mask("other.subnet")).toBe(`other.${MASK}`);
    expect(masker.maskAddress('terraform_data.fresh["object"]')).toBe('terraform_data.fresh["object"]');
    expect(masker.maskAddress("no address: object")).toBe(`no address: ${MASK}`);
  });

  test("have a masked key where a person declared it as secret", () => {
    expect(masker.maskAddress('terraform_data.service["declared"]')).toBe(`terraform_data.service["${MASK}"]`);
    expect(masker.mask('terraform_data.service["declared"] is new')).toBe(`terraform_data.service["${MASK}"] is new`);
    expect(masker.maskName("object.declared")).toBe(`object.${MASK}`);
  });

  test("are found behind a line that may end with the beginning of a value, and are no beginning themselves", () => {
    const broken = new Masker(6);
    broken.addAddresses(["terraform_data.database", "terraform_data.db-service"]);
    broken.addMarked(["terraform_data", "database", "db-service-and-more"]);
    const lines = new LineMasker<null>(broken);
    const texts = ["ends with t", "terraform_data.database: done", "x terraform_data.db-service", "next"].flatMap(
      (text) => lines.push("", "", text, null),
    );
    expect(lines.holds).toBe(false);
    expect([...texts, ...lines.end(true)].map(({ text }) => text)).toEqual([
      "ends with t",
      "terraform_data.database: done",
      "x terraform_data.db-service",
      "next",
    ]);
  });

  test("leave a value masked that only begins or ends in one", () => {
    const longer = new Masker(6);
    longer.addAddresses(["terraform_data.database"]);
    longer.add(["database: hunter2", "by terraform_data.database"]);
    expect(longer.mask("terraform_data.database: hunter2")).toBe(`terraform_data.${MASK}`);
    expect(longer.mask("made by terraform_data.database")).toBe(`made ${MASK}`);
    longer.add(["database", "=4711=="]);
    expect(longer.mask("terraform_data.database=4711==")).toBe(`terraform_data.database${MASK}`);
  });
});

describe("the end of a log", () => {
  const ending = (text: string, cautious: boolean) => {
    const masker = new Masker(6);
    masker.add(["hunter2-hunter2-hunter2"]);
    const lines = new LineMasker<null>(masker);
    const ready = lines.push("", "", text, null);
    return { isHeldByFreeze: ready.length === 0, texts: [...ready, ...lines.end(cautious)].map((line) => line.text) };
  };

  test("masks the cut-off beginning of a value from eight characters on", () => {
    expect(ending("is hunter2-", true)).toEqual({ isHeldByFreeze: true, texts: [`is ${MASK}`] });
    expect(ending("is hunter2", true)).toEqual({ isHeldByFreeze: true, texts: ["is hunter2"] });
    expect(ending("is hun", true)).toEqual({ isHeldByFreeze: false, texts: ["is hun"] });
    expect(ending("is hunter2-", false)).toEqual({ isHeldByFreeze: true, texts: ["is hunter2-"] });
  });

  test("masks no more of a line than that, and every line that the beginning is broken over", () => {
    const masker = new Masker(6);
    masker.add(["hunter2-hunter2-hunter2"]);
    const lines = new LineMasker<null>(masker);
    const texts = ["is hunter2-", "  hunter2"].flatMap((text) => lines.push("", "", text, null));
    expect([...texts, ...lines.end(true)].map(({ text }) => text)).toEqual([`is ${MASK}`, `  ${MASK}`]);
  });
});

test.each([0, 1, 2])(
  "of the base64 of a value no character that holds bits of it is left: %i bytes before",
  (before) => {
    const secret = "hunter2-hunter2!";
    const masker = new Masker(6);
    masker.add([secret]);
    for (const after of [0, 1, 2]) {
      const encoded = Buffer.from(`${"x".repeat(before)}${secret}${"y".repeat(after)}`).toString("base64");
      // A character has six bits, a byte eight.
      const first = Math.floor((before * 8) / 6);
      const behind = Math.ceil(((before + secret.length) * 8) / 6);
      const [head = "?", tail = "?", ...more] = masker.mask(encoded).split(MASK);
      expect(more).toEqual([]);
      expect(encoded.slice(0, first).startsWith(head), head).toBe(true);
      expect(encoded.slice(behind).endsWith(tail), tail).toBe(true);
    }
  },
);
