import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/model/plan/json.ts";
import { PROBE_LIMITS } from "../../../src/model/probe/probe-limits.ts";
import { problemsOfProbes } from "../../../src/model/probe/probe-input.ts";
import type { Probe } from "../../../src/model/probe/probe.ts";
import { suggestedProbes } from "../../../src/model/workspace/suggested-probes.ts";
import { DEPLOY_SHAPES, type DeployShape } from "../../../src/model/workspace/deploy-shape.ts";
import type { Output } from "../../../src/model/workspace/workspace.ts";
import { probeOf } from "../../support/probe-targets.ts";

const URL_OF = "https://shop.example.com/app";

function outputs(values: Record<string, Json>, sensitive: readonly string[] = []): Output[] {
  return Object.entries(values).map(([name, value]) =>
    sensitive.includes(name) ? { name, value: null, sensitive: true } : { name, value, sensitive: false },
  );
}

const ALL = outputs({
  url: URL_OF,
  urls: ["https://a.example.com", "https://b.example.com/"],
  host: "db.example.com",
  port: 5432,
});

const targets = (shape: DeployShape, given: readonly Output[] = ALL, probes: readonly Partial<Probe>[] = []) =>
  suggestedProbes(shape, given, probes.map(probeOf)).map(({ target }) => target);

test("each shape has its probes, if all of their outputs are there", () => {
  expect(DEPLOY_SHAPES.map((shape) => [shape, ...targets(shape)])).toEqual([
    ["STATIC", "{{outputs.url}}"],
    ["STATIC_BUILD", "{{outputs.url}}"],
    ["SERVER", "{{outputs.url}}", "{{outputs.host}}:{{outputs.port}}"],
    ["MULTI", "{{outputs.urls[*]}}"],
    ["EXISTING_DOCKER", "{{outputs.url}}", "{{outputs.host}}:{{outputs.port}}"],
  ]);
  expect(suggestedProbes(null, ALL, [])).toEqual([]);
  for (const shape of DEPLOY_SHAPES) expect(targets(shape, outputs({ endpoint: URL_OF, host: "a" }))).toEqual([]);
});

test("what is suggested can be added as it is, decides nothing, and has a reason", () => {
  const [web, port] = suggestedProbes("SERVER", ALL, []);
  expect(web).toMatchObject({
    name: "web",
    kind: "HTTP",
    use: "BOTH",
    weight: "INFORMATIONAL",
    from: "SERVER",
    outputs: ["url"],
    reason: "Its shape is SERVER, and it has the output url.",
  });
  expect(port).toMatchObject({
    name: "port",
    kind: "TCP",
    weight: "INFORMATIONAL",
    outputs: ["host", "port"],
    reason: "Its shape is SERVER, and it has the outputs host and port.",
  });
  const [each] = suggestedProbes("MULTI", ALL, []);
  expect(each).toMatchObject({ outputs: ["urls"], reason: "Its shape is MULTI, and it has the output urls." });
  for (const shape of DEPLOY_SHAPES) {
    const suggested = suggestedProbes(shape, ALL, []).map(({ outputs: _outputs, reason: _reason, ...probe }) => probe);
    expect(problemsOfProbes(suggested)).toEqual([]);
    expect(suggestedProbes(shape, ALL, suggested)).toEqual([]);
  }
});

test("names are not those of other probes", () => {
  const others = ["web", "web-2", "port"].map((name) => probeOf({ name, target: "https://example.com/" }));
  expect(suggestedProbes("SERVER", ALL, others).map(({ name }) => name)).toEqual(["web-3", "port-2"]);
});

describe("outputs that are no targets", () => {
  test.each<[string, Json]>([
    ["a text that is no address", "shop.example.com"],
    ["another scheme", "s3://bucket/site"],
    ["a password", "https://a:b@shop.example.com/"],
    ["a number", 80],
    ["a list", [URL_OF]],
    ["nothing", null],
    ["an object", { url: URL_OF }],
  ])("url: %s", (_name, url) => {
    expect(targets("STATIC", outputs({ url }))).toEqual([]);
  });

  test.each<[string, Json]>([
    ["a text", URL_OF],
    ["an empty list", []],
    ["a list with a number", [URL_OF, 80]],
    ["a list with another text", [URL_OF, "b"]],
    ["an object", { a: URL_OF }],
    ["too many", Array.from({ length: PROBE_LIMITS.targetsPerProbe + 1 }, (_none, at) => `https://h${at}.example.com`)],
  ])("urls: %s", (_name, urls) => {
    expect(targets("MULTI", outputs({ urls }))).toEqual([]);
  });

  test("host and port: no port, or not one", () => {
    expect(targets("SERVER", outputs({ host: "db.example.com", port: "5432" }))).toHaveLength(1);
    expect(targets("SERVER", outputs({ host: "db.example.com", port: 70_000 }))).toEqual([]);
    expect(targets("SERVER", outputs({ host: "https://db.example.com", port: 5432 }))).toEqual([]);
    expect(targets("SERVER", outputs({ port: 5432 }))).toEqual([]);
  });

  test("sensitive ones", () => {
    const hidden = outputs({ url: URL_OF, urls: [URL_OF], host: "db.example.com", port: 5432 }, [
      "url",
      "urls",
      "host",
    ]);
    for (const shape of DEPLOY_SHAPES) expect(targets(shape, hidden)).toEqual([]);
  });
});

describe("targets that a probe has already", () => {
  test.each<[string, Partial<Probe>]>([
    ["the template", { target: "{{outputs.url}}" }],
    ["with blanks", { target: "{{ outputs.url }}" }],
    ["a path below it", { target: "{{outputs.url}}/ready?full=1" }],
    ["its value", { target: URL_OF }],
    ["its value with the usual port", { target: "https://SHOP.example.com:443/app/" }],
    ["the kind GRAPHQL", { kind: "GRAPHQL", target: "{{outputs.url}}/graphql", body: "{ a }" }],
    ["another use", { use: "HEALTH", weight: "REQUIRED", from: "RUNNERS" }],
  ])("%s", (_name, probe) => {
    expect(targets("STATIC", ALL, [probe])).toEqual([]);
  });

  test.each<[string, Partial<Probe>]>([
    ["another path", { target: "https://shop.example.com/" }],
    ["another path that begins alike", { target: "https://shop.example.com/application" }],
    ["another port", { target: "https://shop.example.com:8443/app" }],
    ["another scheme", { target: "http://shop.example.com/app" }],
    ["another host", { target: "https://example.com/app" }],
    ["its port alone", { kind: "TCP", target: "shop.example.com:443" }],
    ["an output that is not there", { target: "{{outputs.gone}}" }],
    ["an output that is no address", { target: "{{outputs.host}}" }],
    ["a command", { kind: "COMMAND", target: URL_OF }],
  ])("not: %s", (_name, probe) => {
    expect(targets("STATIC", ALL, [probe])).toEqual(["{{outputs.url}}"]);
  });

  test("all elements of a list", () => {
    const first = { target: "{{outputs.urls[0]}}" };
    expect(targets("MULTI", ALL, [first])).toEqual(["{{outputs.urls[*]}}"]);
    expect(targets("MULTI", ALL, [first, { name: "b", target: "https://b.example.com/ready" }])).toEqual([]);
    expect(targets("MULTI", ALL, [{ target: "{{outputs.urls[*]}}/ready" }])).toEqual([]);
  });

  test("a port, which any request over the network asks", () => {
    const port = "{{outputs.host}}:{{outputs.port}}";
    const rest = outputs({ host: "db.example.com", port: 5432 });
    expect(targets("SERVER", rest, [{ kind: "TLS", target: "{{outputs.host}}:5432" }])).toEqual([]);
    expect(targets("SERVER", rest, [{ target: "https://db.example.com:5432/ready" }])).toEqual([]);
    expect(targets("SERVER", rest, [{ kind: "TCP", target: "db.example.com:5433" }])).toEqual([port]);
    expect(targets("SERVER", rest, [{ kind: "TCP", target: "example.com:5432" }])).toEqual([port]);
    // A port alone is no answer of its site.
    const site = outputs({ url: "https://shop.example.com" });
    expect(targets("SERVER", site, [{ kind: "TCP", target: "shop.example.com:443" }])).toEqual(["{{outputs.url}}"]);
    expect(targets("SERVER", site, [{ target: "https://shop.example.com./" }])).toEqual([]);
    // The suggestion of its URL asks the port as well.
    const both = outputs({ url: "http://[::1]/", host: "[::1]", port: 80 });
    expect(targets("SERVER", both)).toEqual(["{{outputs.url}}"]);
  });

  test("a workspace that has as many as it may", () => {
    const full = Array.from({ length: PROBE_LIMITS.probesPerWorkspace }, (_none, at) => ({
      name: `p${at}`,
      target: "https://example.com/",
    }));
    expect(targets("STATIC", ALL, full)).toEqual([]);
    expect(targets("STATIC", ALL, full.slice(1))).toEqual(["{{outputs.url}}"]);
  });
});
