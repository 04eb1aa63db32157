import { describe, expect, it } from "vitest";
import { InputCheck } from "../../../src/domain/kit/input.ts";
import { areWithin, checkNetworks, createIsInNetworks } from "../../../src/domain/token/networks.ts";
import type { UserError } from "../../../src/model/kit/user-error.ts";

/** The networks as they are stored, or the paths and messages of the issues. */
function checked(texts: readonly string[] | null, within?: readonly string[], whose?: string) {
  const check = new InputCheck();
  const networks = checkNetworks(check, texts, within, whose);
  try {
    check.done();
    return networks;
  } catch (error) {
    return (error as UserError).details.issues?.map(({ path, message }) => `${path.join(".")}: ${message}`);
  }
}
const FORM = "must be a network such as 203.0.113.0/24 or 2001:db8::/32, without an address beyond its prefix.";

describe("a network is stored in one form", () => {
  it.each([
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["192.0.2.1", "192.0.2.1/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["10.0.0.0/08", "10.0.0.0/8"],
    ["192.0.2.1/32", "192.0.2.1/32"],
    ["2001:DB8:0::/32", "2001:db8::/32"],
    ["2001:db8::1", "2001:db8::1/128"],
    ["::/0", "::/0"],
    ["::/000", "::/0"],
  ])("%s as %s", (text, network) => expect(checked([text])).toEqual([network]));

  it.each([
    "",
    "localhost",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/x8",
    "10.0.0.0/8x",
    "10.0.0.0/0008",
    "10.0.0.1/8",
    "10.1.0.0/15",
    "2001:db8::/129",
    "2001:db8::1/64",
    "fe80::1%eth0",
    "::ffff:10.0.0.0/104",
    "::ffff:192.0.2.1",
    "/8",
  ])("%j is refused", (text) => expect(checked([text])).toEqual([`networks.0: ${FORM}`]));

  it("once, and in the order in which they were given", () => {
    expect(checked(["192.0.2.1", "10.0.0.0/8", "192.0.2.1/32"])).toEqual(["192.0.2.1/32", "10.0.0.0/8"]);
  });
});

describe("the networks of a token", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index}.0/24`);

  it("are 1 to 20", () => {
    expect(checked(many(20))).toHaveLength(20);
    expect(checked(many(21))).toEqual(["networks: must be 1 to 20, or absent."]);
    expect(checked([])).toEqual(["networks: must be 1 to 20, or absent."]);
    // No issue of each beside.
    expect(checked([...many(20), "x"])).toEqual(["networks: must be 1 to 20, or absent."]);
  });

  it("are those of the caller if none are given, and any if it has none", () => {
    expect(checked(null)).toEqual([]);
    expect(checked(null, ["10.0.0.0/8"])).toEqual(["10.0.0.0/8"]);
  });

  it("lie within those of the caller", () => {
    const outer = ["10.0.0.0/8", "2001:db8::/32"];
    const beyond = (whose: string) => `must be within the networks of ${whose}: 10.0.0.0/8, 2001:db8::/32.`;
    expect(checked(["10.1.0.0/16", "2001:db8:1::/48", "10.0.0.0/8"], outer)).toHaveLength(3);
    expect(checked(["10.1.0.0/16", "11.0.0.0/8"], outer)).toEqual([`networks.1: ${beyond("your own token")}`]);
    expect(checked(["0.0.0.0/0"], outer, "the token")).toEqual([`networks.0: ${beyond("the token")}`]);
    // One issue for a text that is no network at all.
    expect(checked(["x"], outer)).toEqual([`networks.0: ${FORM}`]);
  });
});

describe("networks within others", () => {
  it.each([
    [["10.1.0.0/16"], ["10.0.0.0/8"], true],
    [["10.0.0.0/8"], ["10.0.0.0/8"], true],
    [["10.0.0.0/7"], ["10.0.0.0/8"], false],
    [["11.0.0.0/8"], ["10.0.0.0/8"], false],
    [["10.1.0.0/16", "11.0.0.0/8"], ["10.0.0.0/8"], false],
    [["10.1.0.0/16", "11.0.0.0/8"], ["10.0.0.0/8", "11.0.0.0/8"], true],
    [["::/0"], ["0.0.0.0/0"], false],
    [["a00::/8"], ["10.0.0.0/8"], false],
    [["10.0.0.0/8"], [], false],
    [[], ["10.0.0.0/8"], false],
  ])("%j in %j: %s", (networks, within, expected) => expect(areWithin(networks, within)).toBe(expected));
});

describe("an address", () => {
  const isInNetworks = createIsInNetworks();
  const NETWORKS = ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1/32"];

  it.each([
    ["10.255.0.1", true],
    ["11.0.0.1", false],
    ["192.0.2.1", true],
    ["192.0.2.2", false],
    ["2001:db8::1", true],
    ["2001:db9::1", false],
    ["", false],
    ["x", false],
  ])("%j in several networks: %s", (address, expected) => {
    // Compiled, and from what was compiled.
    for (let round = 0; round < 2; round += 1) expect(isInNetworks(address, NETWORKS)).toBe(expected);
  });

  it("is in the networks of one token, not of another", () => {
    expect(isInNetworks("10.0.0.1", ["11.0.0.0/8"])).toBe(false);
    expect(isInNetworks("10.0.0.1", [])).toBe(false);
    expect(isInNetworks("10.0.0.1", ["1.0.0.0/8", "10.0.0.0/8"])).toBe(true);
  });
});
