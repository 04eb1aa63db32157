/** States of any size and shape are read in bounded memory, and judged as a parser would judge them. */
import { spawnSync } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examineInBackground, examineStates } from "../../src/domain/state/examine-states.ts";
import { parseStateAside, parseStateHere } from "../../src/ingestion/parse-state.ts";
import { JsonScan } from "../../src/model/kit/json-scan.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { createRandom } from "../support/random.ts";

const MIB = 1024 * 1024;
const bytesOf = (text: string): Buffer => Buffer.from(text);

/** A state with a part in the place of the attributes of an instance. */
function stateWith(attributes: Buffer, outputs = "{}"): Buffer {
  const head = `{"version":4,"serial":7,"lineage":"line","outputs":${outputs},"resources":[{"mode":"managed","type":"t","name":"n","instances":[{"attributes":`;
  return Buffer.concat([bytesOf(head), attributes, bytesOf("}]}]}")]);
}
const listOf = (item: string, bytes: number): Buffer =>
  Buffer.concat([bytesOf("["), Buffer.alloc(bytes - (bytes % item.length), item), bytesOf("1]")]);

it("reads 64 MiB of small values with a small heap", async () => {
  const parser = new URL("../../src/ingestion/parse-state.ts", import.meta.url).href;
  const script = `
    import { parseStateAside } from ${JSON.stringify(parser)};
    const head = Buffer.from('{"version":4,"serial":7,"lineage":"line","resources":[{"mode":"managed","instances":[[');
    const body = Buffer.concat([head, Buffer.alloc(${64 * MIB - ((64 * MIB) % 3)}, "{},"), Buffer.from("1]]}]}")]);
    const state = await parseStateAside({ body, byPerson: true });
    process.stdout.write(JSON.stringify(state));`;
  await using folder = await mkdtempDisposable(join(tmpdir(), "state-"));
  const file = join(folder.path, "parse.mts");
  await writeFile(file, script);
  // Parsed as a whole, 60 MiB of these values end a process with a heap of 600 MiB.
  const { stdout, stderr } = spawnSync(process.execPath, ["--max-old-space-size=128", file], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ serial: 7, lineage: "line", outputs: {}, resourceCount: 1 });
}, 60_000);

describe("outputs, which are parsed as a whole,", () => {
  it("are bounded in number and size", async () => {
    const many = `{"a":{"value":[${"{},".repeat(LIMITS.stateOutputParts / 2)}1]}}`;
    await expect(parseStateAside({ body: stateWith(bytesOf("{}"), many), byPerson: false })).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: `The outputs of a state may have at most ${LIMITS.stateOutputParts} values.`,
    });
    const large = `{"a":{"value":"${"x".repeat(LIMITS.stateOutputBytes)}"}}`;
    await expect(parseStateAside({ body: stateWith(bytesOf("{}"), large), byPerson: false })).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: `The outputs of a state may have at most ${LIMITS.stateOutputBytes} bytes.`,
    });
  });

  it("count escapes, which take memory where they are repaired", () => {
    const escapes = `{"a":{"value":"${String.raw`\ud800`.repeat(LIMITS.stateOutputParts)}"}}`;
    expect(() => parseStateHere({ body: stateWith(bytesOf("{}"), escapes), byPerson: false })).toThrow("values");
  });

  it("show what Postgres cannot hold as U+FFFD", () => {
    const outputs = String.raw`{"a":{"value":"\ud800 \u0000 \\ud800 \\\ud800 \ud83d\ude00"}}`;
    const { outputs: shown } = parseStateHere({ body: stateWith(bytesOf("{}"), outputs), byPerson: false });
    expect(shown["a"]?.value).toBe("\ufffd \ufffd \\ud800 \\\ufffd 😀");
  });
});

it("counts instances of managed resources, wherever the mode is", () => {
  const resources = [
    { instances: [{}, { a: [1, 2] }], mode: "managed" },
    { mode: "data", instances: [{}] },
    { instances: [{}], mode: "data" },
    { type: "t" },
    { instances: [1] },
  ];
  const body = bytesOf(JSON.stringify({ version: 4, serial: 1, lineage: "a", resources }));
  expect(parseStateHere({ body, byPerson: true }).resourceCount).toBe(3);
});

it.each([
  ["a list", "[]", "serial"],
  ["a text", '"state"', "serial"],
  ["no resources list", '{"serial":1,"lineage":"a","resources":{}}', "resources: must be a list"],
  ["a resource that is no object", '{"serial":1,"lineage":"a","resources":[{},1]}', "resources.1: must be an object"],
  ["a mode", '{"serial":1,"lineage":"a","resources":[{"mode":1}]}', "resources.0.mode: must be a text"],
  ["instances", '{"serial":1,"lineage":"a","resources":[{"instances":1}]}', "resources.0.instances: must be a list"],
  ["a serial", '{"serial":"1","lineage":"a"}', "serial: must be a whole number"],
  ["a large serial", '{"serial":9007199254740993,"lineage":"a"}', "serial: must be a whole number"],
  ["more levels than a reader has", `{"a":${"[".repeat(20_000)}`, "at most 10000 levels"],
])("refuses a state: %s", (_what, text, message) => {
  expect(() => parseStateHere({ body: bytesOf(text), byPerson: false })).toThrow(message);
});

it("refuses what an engine did not write, if a person sends it", () => {
  for (const text of ['{"serial":1,"lineage":"a","resources":[]}', '{"version":4,"serial":1,"lineage":"a"}'])
    expect(() => parseStateHere({ body: bytesOf(text), byPerson: true })).toThrow("a state of version 4");
});

/** The verdict of the scan and of the parser of the engine. */
function verdicts(text: string): [scan: boolean, parse: boolean] {
  const attempt = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch {
      return false;
    }
  };
  const scan = new JsonScan(bytesOf(text), 1000);
  const scanned = attempt(() => {
    scan.skip();
    scan.end();
  });
  return [scanned, attempt(() => JSON.parse(text))];
}

describe("the scan", () => {
  it("agrees with the parser on texts that were changed at random", () => {
    const random = createRandom(17);
    const seed = String.raw`{"a":[1,-0.5e+3,true,null,false,"x\"\\\u00e9\n"],"b":{},"c":[],"d":{"e":[[]]} , "f" : 1E5}`;
    const letters = `${seed}0123456789.eE+-\t\n\u0001xu`;
    let accepted = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const text = seed.split("");
      for (let changes = random.below(3) + 1; changes > 0; changes -= 1) {
        const at = random.below(text.length);
        text.splice(at, random.below(3), letters[random.below(letters.length)] ?? "");
      }
      const [scanned, parsed] = verdicts(text.join(""));
      if (scanned !== parsed) throw new Error(`They differ on ${text.join("")}`);
      if (parsed) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(1000);
  });

  it.each([
    "",
    " ",
    "1 2",
    "01",
    "1.",
    ".5",
    "1e",
    "-",
    "+1",
    "tru",
    "[1,]",
    "{,}",
    '{"a"}',
    '{"a":}',
    "[",
    "]",
    "\ufeff1",
  ])("refuses %j as the parser does", (text) => expect(verdicts(text)).toEqual([false, false]));
});

describe("an examination of states", () => {
  const many = stateWith(listOf("{},", LIMITS.stateExaminedParts * 1.5));

  it("does not parse too many values", async () => {
    expect(
      await examineInBackground({ type: "LIST", states: [many], selection: { search: null, after: -1, max: 10 } }),
    ).toEqual({ type: "TOO_LARGE" });
  });

  it("counts those of both states", () => {
    const half = stateWith(listOf("1,", LIMITS.stateExaminedParts * 1.2));
    const options = { showValues: false, secrets: [], maxResources: 1, maxValues: 1, maxValueLength: 10 };
    expect(examineStates({ type: "COMPARE", states: [half, half], options })).toEqual({ type: "TOO_LARGE" });
  });
});
