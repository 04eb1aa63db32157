import { describe, expect, it } from "vitest";
import { BUILTINS, refusalOf } from "../../src/evaluator/builtin/builtins.ts";
import { UndefinedResult } from "../../src/evaluator/builtin/operands.ts";
import { fromModuleText } from "../../src/evaluator/builtin/rego-text.ts";
import { Sanitizer } from "../../src/evaluator/kit/sanitizer.ts";
import { createValueDigest } from "../../src/runner/mask/value-digest.ts";
import { toModuleText } from "../../src/evaluator/builtin/rego-value.ts";

const NOW_NS = 1_764_147_845_123_456_789n; // 2025-11-26T09:04:05.123456789Z, a Wednesday

/** Calls a function with arguments as a module writes them. */
function call(name: string, ...args: string[]): string {
  const implementation = BUILTINS[name];
  if (implementation === undefined) throw new Error(`There is no ${name}`);
  try {
    return toModuleText(
      implementation(args.map(fromModuleText), { nowNs: NOW_NS, sanitizer: new Sanitizer("key of the run") }),
    );
  } catch (error) {
    if (error instanceof UndefinedResult) return "undefined";
    throw error;
  }
}

const text = (value: string): string => JSON.stringify(value);

describe("values of modules", () => {
  it.each([
    '{"a":[1,2.5,null,true,"x\\"y"]}',
    '{1,2,"a"}',
    "set()",
    "{}",
    '{1:"a",[2]:{3}}',
    "9007199254740993",
    "[123456789012345678901234567890]",
    '{"__proto__":{"a":1}}',
    '"\u2028 ü 😀"',
  ])("%s is read and written", (value) => {
    expect(toModuleText(fromModuleText(value))).toBe(value);
  });

  it("have escapes, spaces and members in any order", () => {
    const value = fromModuleText(' { 2 , 1 , "\\u2028\\n" , { "b" : 1 , "a" : [ ] } } ');
    expect(toModuleText(value)).toBe('{1,2,"\u2028\\n",{"a":[],"b":1}}');
  });

  it.each(["{1, ", "[1", '{"a" 1}', "nope", "1 2"])("%s is refused", (value) => {
    expect(() => fromModuleText(value)).toThrow("cannot be read");
  });
});

describe("sprintf is that of Go", () => {
  it.each([
    ["%s|%v|%d", '["a", "b", 3]', "a|b|3"],
    ["%v %v %v", "[1.5, true, null]", "1.5 true null"],
    ["%v", '[{"b": 1, "a": ["x"]}]', '{"a": ["x"], "b": 1}'],
    ["%v", '[{"b", "a"}]', '{"a", "b"}'],
    ["%v", "[set()]", "set()"],
    ["%q", '["a\\"b\\n\\u0001é"]', '"a\\"b\\n\\x01é"'],
    ["%+q", '["é😀"]', '"\\u00e9\\U0001f600"'],
    ["%#q", '["a"]', "`a`"],
    ["%q", "[97]", "'a'"],
    ["%5d|%-5d|%05d|%+d", "[42, 42, 42, 42]", "   42|42   |00042|+42"],
    ["%x %X %#x %o %b", "[255, 255, 255, 8, 5]", "ff FF 0xff 10 101"],
    ["%x", '["hi"]', "6869"],
    ["%.2f|%6.1f|%e", "[3.14159, 2.55, 123456.789]", "3.14|   2.5|1.234568e+05"],
    ["%g|%v|%v", "[1e-7, 1e-7, 0.0001]", "1e-07|1e-07|0.0001"],
    ["%v", "[123456789.5]", "1.234567895e+08"],
    ["%.3s|%8s|%-8s|", '["abcdef", "x", "x"]', "abc|       x|x       |"],
    ["%c %U", "[128512, 128512]", "😀 U+1F600"],
    ["%t", "[true]", "%!t(string=true)"],
    ["%d", '["a"]', "%!d(string=a)"],
    ["%s", "[1]", "%!s(int=1)"],
    ["%s", "[1.5]", "%!s(float64=1.5)"],
    ["%f", "[1]", "%!f(int=1)"],
    ["%s", "[123456789123456789123]", "123456789123456789123"],
    ["%d %s", "[1]", "1 %!s(MISSING)"],
    ["%d", '[1, 2, "x"]', "1%!(EXTRA int=2, string=x)"],
    ["%[2]s %[1]s", '["a", "b"]', "b a"],
    ["%*d|%-*d|", "[5, 42, 4, 7]", "   42|7   |"],
    ["100%% %z", "[1]", "100% %!z(int=1)"],
    ["%", "[]", "%!(NOVERB)"],
    ["%T", "[1]", "int"],
  ])("%s with %s", (format, args, expected) => {
    expect(JSON.parse(call("sprintf", text(format), args))).toBe(expected);
  });
});

describe("time", () => {
  it.each([
    ["time.now_ns", [], "1764147845123456789"],
    ["time.date", ["1764147845123456789"], "[2025,11,26]"],
    ["time.clock", ["1764147845123456789"], "[9,4,5]"],
    ["time.clock", ['[1764147845123456789, "America/New_York"]'], "[4,4,5]"],
    ["time.clock", ['[1764147845123456789, "Asia/Kolkata"]'], "[14,34,5]"],
    ["time.date", ['[1764201600000000000, "Pacific/Auckland"]'], "[2025,11,27]"],
    ["time.weekday", ["1764147845123456789"], '"Wednesday"'],
    ["time.weekday", ['[1764201600000000000, "Pacific/Auckland"]'], '"Thursday"'],
    ["time.clock", ['[0, "Nowhere/City"]'], "undefined"],
    ["time.date", ['"text"'], "undefined"],
    ["time.date", ["1.5"], "undefined"],
    ["time.parse_rfc3339_ns", [text("2025-11-26T10:04:05.123456789+01:00")], "1764147845123456789"],
    ["time.parse_rfc3339_ns", [text("2025-11-26")], "undefined"],
    ["time.parse_rfc3339_ns", [text("2025-02-30T00:00:00Z")], "undefined"],
    ["time.parse_ns", [text("2006-01-02"), text("2025-11-26")], "1764115200000000000"],
    ["time.parse_ns", [text("RFC1123"), text("Wed, 26 Nov 2025 09:04:05 UTC")], "1764147845000000000"],
    [
      "time.parse_ns",
      [text("Jan 2, 2006 at 3:04pm (MST)"), text("Nov 26, 2025 at 9:04am (UTC)")],
      "1764147840000000000",
    ],
    ["time.parse_duration_ns", [text("1h30m")], "5400000000000"],
    ["time.parse_duration_ns", [text("-1.5s")], "-1500000000"],
    ["time.parse_duration_ns", [text("1d")], "undefined"],
    ["time.add_date", ["1764147845123456789", "0", "3", "5"], "1772528645123456789"],
    ["time.add_date", ["1706659200000000000", "0", "1", "0"], "1709337600000000000"],
    ["time.diff", ["1764147845123456789", "1732579200000000000"], "[1,0,0,9,4,5]"],
    ["time.format", ["1764147845123456789"], '"2025-11-26T09:04:05.123456789Z"'],
    ["time.format", ['[1764147845123456789, "America/New_York", "RFC1123Z"]'], '"Wed, 26 Nov 2025 04:04:05 -0500"'],
    [
      "time.format",
      ['[1764147845123456789, "UTC", "2006/1/2 3:04PM Monday .000"]'],
      '"2025/11/26 9:04AM Wednesday .123"',
    ],
    ["time.format", ['[0, "UTC", "toString"]'], '"toString"'],
  ])("%s(%j)", (name, args, expected) => {
    expect(call(name, ...args)).toBe(expected);
  });
});

describe("other functions", () => {
  it.each([
    ["regex.split", [text(","), text("a,b,,c")], '["a","b","","c"]'],
    ["regex.split", [text("x*"), text("axbxc")], '["a","b","c"]'],
    ["regex.replace", [text("a1b22"), text("[0-9]+"), text("<$0>")], '"a<1>b<22>"'],
    ["regex.replace", [text("john smith"), text("(?P<first>\\w+) (\\w+)"), text("$2 ${first} $$x")], '"smith john $x"'],
    ["regex.find_n", [text("a."), text("paranormal"), "-1"], '["ar","an","al"]'],
    ["regex.find_n", [text("a."), text("paranormal"), "2"], '["ar","an"]'],
    ["regex.find_all_string_submatch_n", [text("a(x*)b"), text("-axxb-ab-"), "-1"], '[["axxb","xx"],["ab",""]]'],
    ["regex.match", [text("^(a+)+$"), text(`${"a".repeat(5000)}!`)], "false"],
    ["regex.match", [text("("), text("a")], "undefined"],
    ["regex.is_valid", [text("(")], "false"],
    ["regex.template_match", [text("urn:foo:{.*}"), text("urn:foo:bar:baz"), text("{"), text("}")], "true"],
    ["net.cidr_contains", [text("10.0.0.0/8"), text("10.1.2.0/24")], "true"],
    ["net.cidr_contains", [text("10.0.0.0/8"), text("11.0.0.1")], "false"],
    ["net.cidr_contains", [text("fd00::/8"), text("fd12::1")], "true"],
    ["net.cidr_contains", [text("10.0.0.0/8"), text("::ffff:10.0.0.1")], "true"],
    ["net.cidr_contains", [text("10.0.0.0/33"), text("10.0.0.1")], "undefined"],
    ["net.cidr_contains", [text("10.0.0/8"), text("10.0.0.1")], "undefined"],
    ["net.cidr_intersects", [text("192.168.0.0/16"), text("192.168.1.0/24")], "true"],
    ["net.cidr_is_valid", [text("192.168.0.0/33")], "false"],
    ["net.cidr_expand", [text("192.168.1.6/30")], '{"192.168.1.4","192.168.1.5","192.168.1.6","192.168.1.7"}'],
    [
      "net.cidr_merge",
      ['["192.0.128.0/24", "192.0.129.0/24", "10.0.0.0/8", "10.1.0.0/16"]'],
      '{"10.0.0.0/8","192.0.128.0/23"}',
    ],
    [
      "net.cidr_contains_matches",
      ['["1.1.1.0/24", "2.0.0.0/8"]', '{"1.1.1.1", "2.2.2.2"}'],
      '{[0,"1.1.1.1"],[1,"2.2.2.2"]}',
    ],
    ["object.keys", ['{"b": 1, "a": 2}'], '{"a","b"}'],
    ["object.get", ['{"a": {"b": [1, 2]}}', '["a", "b", 1]', "0"], "2"],
    ["object.get", ['{"constructor": 1}', '"toString"', '"none"'], '"none"'],
    ["object.union_n", ['[{"a": {"x": 1}}, {"a": {"y": 2}, "b": 1}]'], '{"a":{"x":1,"y":2},"b":1}'],
    ["object.remove", ['{"a": 1, "b": 2}', '["a"]'], '{"b":2}'],
    ["object.subset", ['{"a": {"b": 1, "c": 2}}', '{"a": {"b": 1}}'], "true"],
    ["object.subset", ["[1, 2, 3]", "[2, 3]"], "true"],
    ["object.subset", ["{1, 2}", "{3}"], "false"],
    [
      "json.patch",
      ['{"a": [1, 2]}', '[{"op": "add", "path": "/a/1", "value": 9}, {"op": "remove", "path": "a/0"}]'],
      '{"a":[9,2]}',
    ],
    ["json.patch", ['{"a": 1}', '[{"op": "test", "path": "/a", "value": 2}]'], "undefined"],
    ["json.patch", ['{"a": 1}', '[{"op": "move", "from": "/a", "path": "/b"}]'], '{"b":1}'],
    ["json.is_valid", [text("{")], "false"],
    [
      "json.marshal_with_options",
      ['{"b": {1}, "a": "<"}', '{"pretty": true, "indent": "  "}'],
      text('{\n  "a": "\\u003c",\n  "b": [\n    1\n  ]\n}'),
    ],
    ["json.marshal_with_options", ['{"b": 1}', "{}"], text('{"b":1}')],
    ["units.parse", [text("100m")], "0.1"],
    ["units.parse", [text("1.5Gi")], "1610612736"],
    ["units.parse", [text("10K")], "10000"],
    ["units.parse", [text("10M")], "10000000"],
    ["units.parse", [text("ten")], "undefined"],
    ["units.parse", [text("1constructor")], "undefined"],
    ["units.parse_bytes", [text("10KiB")], "10240"],
    ["units.parse_bytes", [text("1.5MB")], "1500000"],
    ["units.parse_bytes", [text("1 MB")], "undefined"],
    ["base64.encode", [text("häh?")], '"aMOkaD8="'],
    ["base64.decode", [text("aMOkaD8=")], '"häh?"'],
    ["base64.decode", [text("@@")], "undefined"],
    ["base64url.encode", [text("häh?>")], '"aMOkaD8-"'],
    ["base64url.encode_no_pad", [text("a")], '"YQ"'],
    ["base64url.decode", [text("YQ")], '"a"'],
    ["hex.encode", [text("hi")], '"6869"'],
    ["hex.decode", [text("6g")], "undefined"],
    ["urlquery.encode", [text("a b&c='ü'")], '"a+b%26c%3D%27%C3%BC%27"'],
    ["urlquery.decode", [text("a+b%26c")], '"a b&c"'],
    ["urlquery.encode_object", ['{"b": ["2", "1"], "a": "x y"}'], '"a=x+y&b=2&b=1"'],
    ["urlquery.decode_object", [text("a=1&b=2&a=3")], '{"a":["1","3"],"b":["2"]}'],
    ["crypto.sha256", [text("abc")], '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"'],
    ["crypto.md5", [text("abc")], '"900150983cd24fb0d6963f7d28e17f72"'],
    ["crypto.sha1", [text("abc")], '"a9993e364706816aba3e25717850c26c9cd0d89d"'],
    [
      "crypto.hmac.sha256",
      [text("message"), text("key")],
      '"6e9ef29b75fffc5b7abae527d58fdadb2fe42e7219011976917343065f58ed4a"',
    ],
    ["crypto.hmac.equal", [text("a"), text("a")], "true"],
    ["strings.any_prefix_match", ['["abc", "x"]', '{"ab"}'], "true"],
    ["strings.any_suffix_match", [text("abc"), text("bc")], "true"],
    ["strings.reverse", [text("a😀b")], '"b😀a"'],
    ["strings.count", [text("cheese"), text("e")], "3"],
    ["indexof_n", [text("üaüa"), text("a")], "[1,3]"],
    ["numbers.range_step", ["0", "10", "4"], "[0,4,8]"],
    ["numbers.range_step", ["5", "1", "2"], "[5,3,1]"],
    ["semver.compare", [text("1.2.3"), text("1.10.0")], "-1"],
    ["semver.compare", [text("1.0.0-rc.2"), text("1.0.0-rc.10")], "-1"],
    ["semver.compare", [text("1.0.0"), text("1.0.0-rc.1")], "1"],
    ["semver.compare", [text("1.0"), text("1.0.0")], "undefined"],
    ["semver.is_valid", [text("1.2.3-a+b")], "true"],
    ["glob.quote_meta", [text("*.x")], '"\\\\*.x"'],
    ["trace", [text("x")], "true"],
  ])("%s(%j)", (name, args, expected) => {
    expect(call(name, ...args)).toBe(expected);
  });
});

it("has all that real policies import, and none that reaches the world", () => {
  const used =
    "sprintf time.now_ns time.weekday time.clock time.date time.parse_rfc3339_ns time.add_date regex.replace regex.find_n regex.split object.keys object.union_n object.subset json.patch units.parse units.parse_bytes net.cidr_merge net.cidr_expand strings.any_prefix_match semver.compare crypto.sha256 urlquery.encode hex.encode";
  expect(used.split(" ").filter((name) => refusalOf(name) !== null)).toEqual([]);
  for (const name of ["http.send", "net.lookup_ip_addr", "opa.runtime", "rand.intn", "uuid.rfc4122"]) {
    expect(refusalOf(name)).toContain("may not use");
    expect(Object.hasOwn(BUILTINS, name)).toBe(false);
  }
  expect(refusalOf("toString")).toContain("does not exist");
});

describe("sanitized", () => {
  it("gives the digest that the runner shows in place of a sensitive text", () => {
    for (const word of ["x", "", "🙂 ü", "a\nb"])
      expect(call("sanitized", text(word))).toBe(text(createValueDigest("key of the run")(word)));
    expect(call("sanitized", "1")).toBe("undefined");
  });

  it("fails without a key, and beyond 100 texts of a policy", () => {
    expect(() => new Sanitizer(null).digest("x")).toThrow("needs the key of a run");
    const sanitizer = new Sanitizer("key");
    for (let n = 0; n < 100; n++) sanitizer.digest(`word ${n}`);
    sanitizer.digest("word 0");
    expect(() => sanitizer.digest("word 100")).toThrow("at most 100 texts");
    sanitizer.begin();
    sanitizer.digest("word 100");
  });
});
