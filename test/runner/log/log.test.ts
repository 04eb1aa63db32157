import { expect, test } from "vitest";
import type { LogAppend } from "../../../src/model/log/log-text.ts";
import { parseEngineEvent } from "../../../src/runner/engine/engine-event.ts";
import { EventOutput, TextOutput } from "../../../src/runner/engine/engine-output.ts";
import { renderEvent } from "../../../src/runner/engine/event-text.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { outputOrigin } from "../../../src/runner/log/log-origin.ts";
import { LogShipper } from "../../../src/runner/log/log-shipper.ts";
import { LogSplitter } from "../../../src/runner/log/log-splitter.ts";
import { cutLine, readableLines, utf8Prefix } from "../../../src/runner/log/log-text.ts";
import { MASK } from "../../../src/runner/mask/masked-text.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function shipper(
  take: (append: LogAppend) => Promise<number>,
  limits = {},
  writtenBytes = 0,
  declareMasks: (values: string[]) => Promise<string | null> = async () => null,
) {
  const ended = new AbortController();
  const masker = new Masker(6);
  const log = new LogShipper({
    client: { appendLog: async (append) => ({ nextLine: await take(append), atOnce: 2 }), declareMasks },
    masker,
    nextLine: 1,
    writtenBytes,
    clock: () => new Date(0),
    ended: ended.signal,
    limits: { ...RUNNER_LIMITS, ...limits },
    log: quiet,
  });
  return { log, masker, ended };
}

/** Takes everything, and keeps it. */
function collector() {
  const batches: LogAppend[] = [];
  const take = async (append: LogAppend) => {
    batches.push(append);
    return append.firstLine + append.lines.length;
  };
  return { batches, take, texts: () => batches.flatMap(({ lines }) => lines.map(({ text }) => text)) };
}

test("lines are cut wherever the chunks end, and a line of any length costs only what is kept", () => {
  const splitter = new LogSplitter(10);
  const lines = ["a", "b\r", "\nc", "\n\n0123456789", "abc", "\nend"].flatMap((chunk) => [
    ...splitter.push(Buffer.from(chunk)),
  ]);
  lines.push(...splitter.end());
  expect(lines.map(({ bytes, totalBytes }) => [bytes.toString(), totalBytes])).toEqual([
    ["ab", 2],
    ["c", 1],
    ["", 0],
    ["0123456789", 13],
    ["end", 3],
  ]);
  expect([...splitter.end()]).toEqual([]);
});

test("text is readable: no escapes, no control characters, no half characters", () => {
  expect(readableLines("\u001b[31mred\u001b[0m \u001b]0;title\u0007t\tab\u0000\u0008")).toEqual(["red t\tab"]);
  expect(readableLines("10%\r20%\r\n\r30%\r")).toEqual(["10%", "20%", "30%"]);
  expect(readableLines(Buffer.from([0x61, 0xff, 0x62]).toString("utf8"))).toEqual(["a\ufffdb"]);
  expect(readableLines("\ud800x")).toEqual(["\ufffdx"]);
  expect(utf8Prefix("aé€😀", 5)).toBe("aé");
  expect(utf8Prefix("aé€😀", 6)).toBe("aé€");
  const cut = cutLine("é".repeat(100), 200, false, 64);
  expect(cut).toMatch(/^é+ … \[cut: 200 bytes\]$/);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(64);
});

test("colors are beside the text that is shown, and show nothing of what is masked", async () => {
  const { batches, take } = collector();
  const { log, masker } = shipper(take);
  masker.add(["S3CRET-VALUE"]);
  await log.write("a \u001b[31mred\u001b[0m line");
  await log.write("\u001b[32mbefore S3CRET\u001b[33m-VA\u001b[0mLUE behind \u001b[34mend");
  const provisioner = outputOrigin("STDOUT", "x.y (local-exec): ");
  await log.write("x.y (local-exec): \u001b[1mbold\u001b[0m", provisioner);
  await log.write("plain");
  await log.close();
  const lines = batches.flatMap((batch) => batch.lines);
  expect(lines.map(({ text, spans }) => [text, spans])).toEqual([
    ["a red line", [{ from: 2, to: 5, color: "RED", bold: false }]],
    [
      `before ${MASK} behind end`,
      [
        { from: 0, to: 7, color: "GREEN", bold: false },
        { from: 32, to: 35, color: "BLUE", bold: false },
      ],
    ],
    ["x.y (local-exec): bold", [{ from: 18, to: 22, color: null, bold: true }]],
    ["plain", undefined],
  ]);
  for (const { text, spans = [] } of lines) {
    for (const { to } of spans) expect(to).toBeLessThanOrEqual(text.length);
  }
});

test("ten megabytes in one line, invalid bytes and what comes after them", async () => {
  const { batches, take, texts } = collector();
  const { log } = shipper(take);
  const output = new TextOutput(log, RUNNER_LIMITS.logLineBytes, 1000);
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  for (let count = 0; count < 10; count += 1) await output.take(megabyte);
  await output.take(Buffer.from([0x0a, 0xc3, 0x28, 0x0a]));
  await output.take(Buffer.from("last"));
  await output.finish();
  await log.close();
  const [long = "", invalid, last] = texts();
  expect(long.endsWith(" … [cut: 10485760 bytes]")).toBe(true);
  expect(Buffer.byteLength(long)).toBe(64 * 1024);
  expect([invalid, last]).toEqual(["\ufffd(", "last"]);
  expect(output.text.length).toBeLessThan(1100);
  expect(batches.length).toBeLessThanOrEqual(3);
});

test("a long line of the engine's JSON keeps its message, not its envelope", async () => {
  const { take, texts } = collector();
  const { log } = shipper(take);
  const output = new EventOutput(log, "apply", 1024 * 1024);
  const message = `said "${"y".repeat(3_000_000)}`;
  await output.take(Buffer.from(`${JSON.stringify({ "@level": "info", "@message": message, type: "x" })}\n`));
  await output.take(Buffer.from('{"@message":"short","type":"y"}\nnot json\n{"a":1}\n'));
  await log.close();
  const [long = "", ...rest] = texts();
  expect(long.startsWith('said "yyy')).toBe(true);
  expect(long).toMatch(/y … \[cut: 30000\d\d bytes\]$/);
  expect(rest).toEqual(["short", "not json", '{"a":1}']);
});

test("a secret across the place where a line is cut is not left in part", async () => {
  const { take, texts } = collector();
  const { log, masker } = shipper(take);
  const secret = "S3CRET".repeat(10);
  masker.add([secret]);
  for (let shift = 0; shift < 80; shift += 7) {
    const line = Buffer.from("x".repeat(RUNNER_LIMITS.logLineBytes - shift) + secret + "x".repeat(100_000));
    const output = new TextOutput(log, RUNNER_LIMITS.logLineBytes + masker.longest * 8, 0);
    await output.take(Buffer.concat([line, Buffer.from("\n")]));
  }
  await log.close();
  expect(texts().join("\n")).not.toContain("S3CRET");
});

test("batches end at bytes, lines and phases; numbers have no gaps", async () => {
  const { batches, take } = collector();
  const { log } = shipper(take);
  for (let count = 0; count < 1200; count += 1) await log.write(`line ${count}`);
  log.phase = "INIT";
  for (let count = 0; count < 5; count += 1) await log.write("z".repeat(30_000));
  await log.close();
  expect(batches.map(({ phase, lines }) => [phase, lines.length])).toEqual([
    ["PREPARE", 500],
    ["PREPARE", 500],
    ["PREPARE", 200],
    ["INIT", 2],
    ["INIT", 2],
    ["INIT", 1],
  ]);
  expect(batches.map(({ firstLine }) => firstLine)).toEqual([1, 501, 1001, 1201, 1203, 1205]);
});

test("lines that got through although the answer was lost are not sent twice", async () => {
  const seen: string[] = [];
  const { log } = shipper(async ({ firstLine, lines }) => {
    const fresh = lines.slice(Math.max(0, seen.length + 1 - firstLine), seen.length === 0 ? 2 : undefined);
    seen.push(...fresh.map(({ text }) => text));
    return seen.length + 1;
  });
  await log.write("a\nb\nc\nd");
  await log.close();
  expect(seen).toEqual(["a", "b", "c", "d"]);
});

test("a slow server makes writers wait; an engine that must end drops lines instead, and says how many", async () => {
  const gate = Promise.withResolvers<void>();
  const { take, texts } = collector();
  const { log } = shipper(
    async (append) => {
      await gate.promise;
      return take(append);
    },
    { logQueueBytes: 100 },
  );
  let waited = true;
  const writing = log.write("x".repeat(200)).then(() => (waited = false));
  await new Promise((resolve) => setImmediate(resolve));
  expect(waited).toBe(true);
  log.dropWhenFull();
  await writing;
  await log.write("dropped\ndropped");
  gate.resolve();
  await log.close();
  expect(texts()).toEqual(["x".repeat(200), "… [2 lines dropped: the server did not take them in time]"]);
});

test("behind the limit of a phase lines are dropped but the last ones, which come with a mark; the next phase may write", async () => {
  const { batches, take, texts } = collector();
  const { log } = shipper(take, { logPhaseBytes: 1000, logTailBytes: 50 });
  for (let line = 1; line <= 500; line += 1) await log.write(`line ${String(line).padStart(4, "0")}`);
  log.phase = "INIT";
  await log.write("in the next phase");
  await log.close();
  const shown = texts();
  expect(shown.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => `line ${String(i + 1).padStart(4, "0")}`));
  expect(shown.slice(100)).toEqual([
    "… [395 lines, 3950 bytes dropped: the log of a phase ends at 0 MiB]",
    ...[496, 497, 498, 499, 500].map((line) => `line 0${line}`),
    "in the next phase",
  ]);
  expect(batches.at(-1)).toMatchObject({ phase: "INIT", firstLine: 107 });
});

test("the limit of a run counts what its earlier jobs wrote; who says nothing for long says that lines are dropped", async () => {
  const { take, texts } = collector();
  const { log } = shipper(take, { logRunBytes: 30, logTailBytes: 12, logNoticeMs: 0 }, 20);
  for (const text of ["fits here", "dropped", "last one"]) await log.write(text);
  await log.close();
  expect(texts()).toEqual([
    "fits here",
    "… [0 lines dropped so far: the log of a run ends at 0 MiB]",
    "… [1 lines dropped so far: the log of a run ends at 0 MiB]",
    "… [1 lines, 8 bytes dropped: the log of a run ends at 0 MiB]",
    "last one",
  ]);
});

test("output declares values to mask: not shown, masked from then on, told to the server before the end", async () => {
  const { batches, take, texts } = collector();
  const declared: string[][] = [];
  const { log } = shipper(take, {}, 0, async (values) => {
    declared.push(values);
    return declared.length > 1 ? "TOO_LARGE: enough (status 413)" : null;
  });
  const stderr = new TextOutput(log, 1000, 1000, "STDERR");
  const value = "pass word%\nof two lines";
  await stderr.take(Buffer.from(`before ${value.split("\n")[1]}\n  ::add-mask::pass word%25%0Aof two lines\n`));
  await stderr.take(
    Buffer.from(`::add-mask::short\n::add-mask::pass word%25%0Aof two lines\n::add-mask::of\u2028one line\n`),
  );
  await stderr.finish();
  expect(stderr.text).not.toContain("add-mask");
  const stdout = new EventOutput(log, "apply", 1024 * 1024);
  const hook = { resource: { addr: "a.b" }, provisioner: "local-exec", output: "::add-mask::from-provisioner\n" };
  await stdout.take(Buffer.from(`${JSON.stringify({ "@message": "", type: "provision_progress", hook })}\n`));
  const quoted = [`Executing: ["/bin/sh" "-c" "echo ::add-mask::it's quoted"]`, `echo "::add-mask::$(pass)" && it`];
  await stdout.take(Buffer.from(`${quoted.join("\n")}\n`));
  await stdout.take(Buffer.from(`it is ${Buffer.from(`x${value}`).toString("base64")}\n`));
  await log.write(`from-provisioner, of two lines, and ::add-mask::`);
  await log.close();
  expect(declared.flat()).toEqual([value, "of\u2028one line", "from-provisioner"]);
  expect(texts().filter((text) => !text.startsWith("… "))).toEqual([
    "before of two lines",
    "Not masked: a value to be masked must have at least 6 characters.",
    'Executing: ["/bin/sh" "-c" "echo ::add-mask::(sensitive value)',
    'echo "::add-mask::$(pass)" && it',
    expect.stringMatching(/^it is .?\(sensitive value\)$/),
    "(sensitive value), (sensitive value), and ::add-mask::",
  ]);
  expect(batches.flatMap(({ lines }) => lines.map(({ stream }) => stream))).toContain("STDERR");
});

test("declared values are bounded: the server is asked no more once it refused, and a job masks so many", async () => {
  const { take, texts } = collector();
  const declared: string[][] = [];
  const { log } = shipper(take, { masksPerJob: 20 }, 0, async (values) => {
    declared.push(values);
    return "TOO_LARGE: enough (status 413)";
  });
  const output = new TextOutput(log, 1000, 0);
  for (let value = 1; value <= 25; value += 1) await output.take(Buffer.from(`::add-mask::value-no-${value};\n`));
  await output.take(Buffer.from("value-no-20; value-no-21;\n"));
  await log.close();
  expect(declared).toHaveLength(1);
  expect(texts().toSorted()).toEqual([
    "(sensitive value) value-no-21;",
    "Not masked: a job can declare at most 20 values to be masked.",
    "… [Other jobs of this run will not mask every value that was declared: TOO_LARGE: enough (status 413)]",
  ]);
});

test("an ended job's writers are let go; what they declare is masked all the same", async () => {
  const { log, masker, ended } = shipper(() => new Promise(() => undefined), { logQueueBytes: 10 });
  ended.abort();
  await log.write("x".repeat(200));
  await log.close();
  const output = new TextOutput(log, 1000, 0);
  await output.take(Buffer.from("::add-mask::declared late\n"));
  expect(masker.mask("declared late")).toBe("(sensitive value)");
});

test("events are rendered as the engine writes them for people", () => {
  const render = (event: object, command: "plan" | "apply" = "apply") => {
    const parsed = parseEngineEvent(JSON.stringify({ "@message": "message", ...event }));
    return parsed === undefined ? undefined : renderEvent(parsed, command);
  };
  expect(render({ type: "version" })).toBe("");
  expect(render({ type: "planned_change" })).toBe("");
  expect(render({ type: "planned_change" }, "plan")).toBe("message");
  expect(render({ type: "change_summary", changes: { operation: "plan" } })).toBe("");
  expect(render({ type: "change_summary", changes: { operation: "apply" } })).toBe("message");
  const outputs = { o: { sensitive: true, value: "x" }, p: { sensitive: false, value: { a: [1] } } };
  expect(render({ type: "outputs", outputs })).toBe('Outputs:\n\no = <sensitive>\np = {\n  "a": [\n    1\n  ]\n}');
  const hook = { resource: { addr: "a.b" }, provisioner: "local-exec", output: "one\ntwo\n" };
  expect(render({ type: "provision_progress", hook })).toBe("a.b (local-exec): one\na.b (local-exec): two");
  const diagnostic = {
    severity: "error",
    summary: "Bad",
    detail: "Very bad.",
    address: "a.b",
    range: { filename: "main.tf", start: { line: 9, column: 1, byte: 0 } },
    snippet: {
      context: 'resource "a" "b"',
      code: "x = var.y\ny = 1",
      start_line: 9,
      values: [{ traversal: "var.y", statement: "is 1" }],
    },
  };
  expect(render({ type: "diagnostic", diagnostic })).toBe(
    'Error: Bad\n\n  with a.b,\n  on main.tf line 9, in resource "a" "b":\n   9: x = var.y\n  10: y = 1\n    var.y is 1\n\nVery bad.\n',
  );
});
