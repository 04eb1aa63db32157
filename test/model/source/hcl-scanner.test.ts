import { describe, expect, it } from "vitest";
import { configurationFiles, scanConfiguration } from "../../../src/model/source/configuration-file.ts";
import { type FileScan, joinPath, normalisePath, SCANNED_BYTES } from "../../../src/model/source/file-scan.ts";

const scan = (text: string, name = "main.tf"): FileScan => scanConfiguration(name, Buffer.from(text));
const reads = (text: string, name?: string): string[] =>
  scan(text, name).reads.map(({ base, path }) => `${base} ${path}`);
const attribute = (expression: string): string => `locals {\n  a = ${expression}\n}\n`;

describe("sources of modules", () => {
  it.each([
    ['module "a" {\n  source = "./x"\n}\n', ["x"]],
    ['module a {\n  source = "../x/./y//z/../w"\n}\n', ["../x/y/w"]],
    ['module "a" { source = "./x" }\nmodule "b" { source = "./x/" }', ["x"]],
    ['module "a" {\r\n  source = "./x"\r\n}\r\n', ["x"]],
    ['\ufeffmodule "a" {\n  source = "./x"\n}\n', ["x"]],
    ['module "a" {\n  source = "\\u002e/\\U00000078"\n}\n', ["x"]],
    ['module "a" {\n  source = "./a$${b}%%{c}$d%"\n}\n', ["a${b}%{c}$d%"]],
    ['module "a" {\n  source = <<-X\n  ./x\n  X\n}\n', []],
    [
      'module "a" {\n  # source = "./no"\n  // source = "./no"\n  /* source = "./no"\n */ source = "./x" # "\n}\n',
      ["x"],
    ],
    ['module "a" {\n  source = "hashicorp/consul/aws"\n  version = "1"\n}\n', []],
    ['module "a" {\n  source = "git::https://example.com/a.git//./x"\n}\n', []],
    ['module "a" {\n  providers = {\n    source = "./no"\n  }\n  b {\n    source = "./no"\n  }\n}\n', []],
    ['resource "x" "y" {\n  module "a" {\n    source = "./no"\n  }\n  source = "./no"\n}\n', []],
    ['locals {\n  a = <<EOT\nmodule "a" {\n  source = "./no"\n}\nEOT\n}\nmodule "b" {\n  source = "./x"\n}\n', ["x"]],
    ['locals {\n  a = "${"}"}{\\"${<<X\n}"\nX\n}"\n}\nmodule "b" {\n  source = "./x"\n}\n', ["x"]],
    ['locals {\n  a = <<X\n${"X"}\nX X\n X${1}\n  X\n}\nmodule "b" {\n  source = "./x"\n}\n', ["x"]],
    ['locals {\n  a = [for x in y : {\n    source = "./no"\n  }]\n}\n', []],
    ['locals {\n  a = <<X\n${1}X\nmodule "a" { source = "./no" }\nX\n}\nmodule "b" {\n  source = "./x"\n}\n', ["x"]],
    ['locals {\n  a = <<X\n\\d+\nX\n}\nmodule "b" {\n  source = "./x"\n}\n', ["x"]],
    ['locals {\n  a = <<X\n"\n \tX \t\r\n}\nmodule "b" {\n  source = "./x"\n}\n', ["x"]],
    ['locals {\n  a = <<X\nX"\nXX\nX-\nX\n}\nmodule "b" {\n  source = "./x"\n}\n', ["x"]],
    ['module "a" {\n  source = "./\\U0010FFFF"\n}\n', ["\u{10ffff}"]],
    ['module "ü-1" {\n  source = "./ü x"\n}\n', ["ü x"]],
  ])("finds those of %j", (text, expected) => {
    expect(scan(text)).toMatchObject({ modules: expected, readsAll: false });
  });

  it.each([
    '{"module": {"a": {"source": "./x"}}}',
    '{"module": [{"a": [{"source": "./x"}]}], "//": "./no"}',
    '{"module": {"b": {"source": "b"}}, "module": {"a": {"source": "./x", "source2": "./no"}}}',
    '[{"module": {"a": {"source": "./x"}}}]',
    '\ufeff{"module":{"a":{"source":"\\u002e/x"}},"locals":{"source":"./no","module":{"a":{"source":"./no"}}}}',
  ])("finds those of %j", (text) => {
    expect(scan(text, "main.tf.json")).toMatchObject({ modules: ["x"], readsAll: false });
  });

  it.each([
    ['module "a" {\n  source = var.x\n}\n', "source = var.x"],
    ['module "a" {\n  source = "./${var.x}"\n}\n', 'source = "./${var.x}"'],
    ['module "a" {\n  source = ("./x")\n}\n', 'source = ("./x")'],
    ['{"module": {"a": {"source": "./${var.x}"}}}', 'source = "./${var.x}"'],
    ['{"module": {"a": {"source": ["./x"]}}}', "source = ..."],
  ])("may be any where %j is no literal", (text, reason) => {
    const found = scan(text, text.startsWith("{") ? "main.tf.json" : "main.tf");
    expect(found).toEqual({ modules: [], reads: [], unresolved: [reason], readsAll: true });
  });

  it.each([
    ["module {", "a block does not end"],
    ['module "a" = {', "it is not in the engine's syntax"],
    ["= 1", "it is not in the engine's syntax"],
    ["module (\n}\n", "it is not in the engine's syntax"],
    ["}", "it is not in the engine's syntax"],
    ["a = (1\n]\n", "brackets do not match"],
    ["a = (1\n", "an expression does not end"],
    ["a =\n", "an expression does not end"],
    ['a = "x', "a text does not end"],
    ['a = "x\ny"', "a quoted text has more than one line"],
    ['a = "\\x"', "an escape is unknown"],
    ['a = "\\UFFFFFFFF"', "an escape is no character"],
    ['a = "${x"', "a text does not end"],
    ["module (\n}\n", "it is not in the engine's syntax"],
    ["module [ {\n}\n", "it is not in the engine's syntax"],
    ["module", "it is not in the engine's syntax"],
    ["a = <<X\ny\n", "a text does not end"],
    ["/* x", "a comment does not end"],
    [`a = ${'"${'.repeat(100_000)}`, "templates are nested too deep"],
    ["a = 1\n".repeat(Math.ceil(SCANNED_BYTES / 6) + 1), `it has more than ${SCANNED_BYTES} bytes`],
    [`a = [${Array.from({ length: 5001 }, (_, i) => `"../${i}"`).join(",")}]`, "more paths than can be followed"],
  ])("may be any where a file cannot be read: %#", (text, reason) => {
    expect(scan(text)).toEqual({ modules: [], reads: [], unresolved: [reason], readsAll: true });
  });

  it.each(["", "{", '{"a":}', '{"a" 1}', "[1,]", '"\\x"', `${"[".repeat(1000)}`, '{"a":1} x', '{"a":"${"}'])(
    "may be any where the JSON is broken: %j",
    (text) => {
      expect(scan(text, "main.tf.json")).toMatchObject({ modules: [], readsAll: true });
    },
  );

  it("may be any where the file is not in UTF-8", () => {
    expect(scanConfiguration("a.tf", Buffer.of(0xff, 0x0a))).toMatchObject({ readsAll: true });
  });
});

describe("paths", () => {
  it.each([
    ['file("a.txt")', ["ROOT a.txt"]],
    ['file("${path.module}/a/../b.txt")', ["MODULE b.txt"]],
    ['core::file("${path.root}/../a.txt")', ["ROOT ../a.txt"]],
    ['templatefile("${ path.module }/../a.tpl", { x = file("${path.cwd}/b") })', ["MODULE ../a.tpl", "ROOT b"]],
    ['fileset(path.module, "**")', ["MODULE ."]],
    ['fileset("${path.module}", "**")', ["MODULE ."]],
    ['filesha256(\n  "../a"\n)', ["ROOT ../a"]],
    ['"${file("../a")}"', ["ROOT ../a"]],
    ['"${merge({ a = 1 }, file("../a"))}"', ["ROOT ../a"]],
    ['jsondecode(file("../../a.json"))["x"]', ["ROOT ../../a.json"]],
    ['"../lambda"', ["ROOT ../lambda"]],
    ['"${\n  path.module\n}/../lambda"', ["MODULE ../lambda"]],
    ['"${path.module}/x/../../lambda"', ["MODULE ../lambda"]],
    ['"../run.sh --force"', ["ROOT ../run.sh"]],
    ['"..."', []],
    ['"..a"', []],
    ['"a/../b"', []],
    ['"/../b"', []],
    ['"${path.module}x/../../b"', []],
    ['"${path.other}/../b"', []],
    ['"https://example.com/../../../b"', []],
    ['profile("a")', []],
    ["file", []],
    ['file["a"]', []],
    ["path.module", []],
    ['file("")', ["ROOT ."]],
    ['file("${path.module}")', ["MODULE ."]],
    ['file("${path.root}/a b")', ["ROOT a b"]],
    ['"${path.module}/../a b"', ["MODULE ../a"]],
    ['".."', ["ROOT .."]],
    ['"../"', ["ROOT .."]],
    ['"${path.module}/.."', ["MODULE .."]],
    ['"x${path.module}/../../b"', []],
    ['"${path.module.x}/../b"', []],
    ['"${x.module}/../b"', []],
    ['"${path + module}/../b"', []],
    ['x.file\n("a")', null],
  ])("of %s", (expression, expected) => {
    if (expected === null) expect(scan(attribute(expression)).readsAll).toBe(true);
    else expect(scan(attribute(expression))).toMatchObject({ unresolved: [], readsAll: false });
    if (expected !== null) expect(reads(attribute(expression))).toEqual(expected);
  });

  it.each([
    ["file(var.x)", [], "file(var.x)"],
    ['file("${var.x}/a")', [], 'file("${var.x}/a")'],
    ['file("${path.module}/${var.x}.json")', [], 'file("${path.module}/${var.x}.json")'],
    ['file("/etc/passwd")', [], 'file("/etc/passwd")'],
    ['file("../${var.x}.json")', ["ROOT .."], 'file("../${var.x}.json")'],
    ['file(join("/", [path.module, "../a"]))', ["ROOT ../a"], 'file(join("/", [path.module, "../a"]))'],
    ["file()", [], "file()"],
    ['file("${path[module]}/../a")', [], 'file("${path[module]}/../a")'],
    ["file(var.x + 12.5)", [], "file(var.x + 12.5)"],
    ['"../${var.x} y"', ["ROOT .."], '"../${var.x} y"'],
    ['"${path.module}/../a/${var.x}/b"', ["MODULE ../a"], '"${path.module}/../a/${var.x}/b"'],
  ])("of %s are known in part", (expression, expected, unresolved) => {
    const found = scan(attribute(expression));
    expect(found.reads.map(({ base, path }) => `${base} ${path}`)).toEqual(expected);
    expect(found).toMatchObject({ unresolved: [unresolved], readsAll: false });
  });

  it.each([
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "templatefile",
  ])("are the first argument of %s", (reader) => {
    expect(reads(attribute(`${reader}("a", "b")`))).toEqual(["ROOT a"]);
  });

  it("are the first argument of a call alone, whatever brackets it has", () => {
    expect(reads(attribute('file(join("/", ["../a", "b"]), "../c")'))).toEqual(["ROOT ../a", "ROOT ../c"]);
    expect(scan(attribute('file({ a = f(x, y) }["a"], z)')).unresolved).toEqual(['file({ a = f(x, y) }["a"])']);
    expect(scan(attribute("file([x, y][0], z)")).unresolved).toEqual(["file([x, y][0])"]);
    expect(scan(attribute("file((x), z)")).unresolved).toEqual(["file((x))"]);
    expect(scan(attribute("file(\n  x,\n  z\n)")).unresolved).toEqual(["file(x)"]);
  });

  it("below a folder of its own are read with all of it", () => {
    expect(scan(attribute('file("${path.module}/a/${var.x}.json")'))).toEqual({
      modules: [],
      reads: [{ base: "MODULE", path: "a" }],
      unresolved: [],
      readsAll: false,
    });
  });

  it("of the JSON syntax", () => {
    const text = '{"resource":{"a":{"b":[{"c":"${file(\\"../x\\")}","d":"../y"}]}},"output":{"e":{"value":1}}}';
    expect(reads(text, "main.tf.json")).toEqual(["ROOT ../x", "ROOT ../y"]);
  });

  it("show no more of an expression than a line", () => {
    const [shown = ""] = scan(attribute(`file(merge(\n${"x ".repeat(300)}))`)).unresolved;
    expect(shown.length).toBeLessThan(130);
    expect(shown).not.toContain("\n");
  });
});

describe("files of a folder", () => {
  const names = [
    "a.tf",
    "a.tofu",
    "b.tf.json",
    "b.tofu.json",
    "c.tofu",
    "d.tf",
    "d.tofu.json",
    ".e.tf",
    "f.tf~",
    "g.md",
  ];
  names.push("#h.tf#", "i.tfvars", "j.tftest.hcl");

  it.each([
    ["terraform", ["a.tf", "b.tf.json", "d.tf"]],
    ["tofu", ["a.tofu", "b.tofu.json", "c.tofu", "d.tf", "d.tofu.json"]],
    [null, ["a.tf", "a.tofu", "b.tf.json", "b.tofu.json", "c.tofu", "d.tf", "d.tofu.json"]],
  ] as const)("that %s reads", (engine, expected) => {
    expect(configurationFiles(names, engine)).toEqual(expected);
  });
});

describe("paths of a repository", () => {
  it.each([
    ["a/b", "../c", "a/c"],
    [".", "a", "a"],
    ["a", "..", "."],
    ["a", "../..", null],
    [".", "..", null],
    ["a", "../..a", "..a"],
  ])("%s and %s", (folder, path, expected) => {
    expect(joinPath(folder, path)).toBe(expected);
  });

  it("are normalised by their text", () => {
    expect(["", "./", "a//b/./c/..", "../../a/../b", "/a"].map(normalisePath)).toEqual([
      ".",
      ".",
      "a/b",
      "../../b",
      "a",
    ]);
  });
});
