import { describe, expect, test } from "vitest";
import { isAllowedAddress, literalAddress, targetOf } from "../../src/network/address-guard.ts";
import type { AllowedTarget } from "../../src/model/kit/allowed-target.ts";

type Network = Extract<AllowedTarget, { type: "network" }>;

const network = (address: string, prefix: number, port: number | null = null): Network => ({
  type: "network",
  address,
  prefix,
  port,
});

function allows(address: string, allowed: AllowedTarget[] = [], url = "https://hooks.example:8443/x"): boolean {
  return isAllowedAddress(address, targetOf(new URL(url)), allowed);
}

test.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"])("%s is public", (address) => {
  expect(allows(address)).toBe(true);
});

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "192.0.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001::1",
  "fc00::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "2001:db8::1",
  "4000::1",
  "not an address",
])("%s is not public", (address) => {
  expect(allows(address)).toBe(false);
});

test("what the configuration names is allowed, and nothing beside it", () => {
  expect(allows("10.1.2.3", [network("10.0.0.0", 8)])).toBe(true);
  expect(allows("::ffff:10.1.2.3", [network("10.0.0.0", 8)])).toBe(true);
  expect(allows("11.1.2.3", [network("11.0.0.0", 8)])).toBe(true);
  expect(allows("192.168.0.1", [network("10.0.0.0", 8)])).toBe(false);
  expect(allows("10.1.2.3", [network("10.1.2.3", 32, 8443)])).toBe(true);
  expect(allows("10.1.2.3", [network("10.1.2.3", 32, 443)])).toBe(false);
  expect(allows("fd00::5", [network("fd00::", 8)])).toBe(true);
  expect(allows("fd00::5", [network("10.0.0.0", 8)])).toBe(false);
  const name: AllowedTarget = { type: "name", name: "hooks.example", port: null };
  expect(allows("10.1.2.3", [name])).toBe(true);
  expect(allows("10.1.2.3", [{ ...name, port: 8443 }])).toBe(true);
  expect(allows("10.1.2.3", [{ ...name, port: 443 }])).toBe(false);
  expect(allows("10.1.2.3", [name], "https://hooks.example.evil.test/")).toBe(false);
});

describe("an address that gives a machine something of its own", () => {
  const every = [network("0.0.0.0", 0), network("::", 0)];
  const named: AllowedTarget = { type: "name", name: "hooks.example", port: null };

  test.each<[string, AllowedTarget[]]>([
    ["fd00:ec2::254", [network("fd00::", 8), network("fd00:ec2::", 32), network("fd00:ec2::254", 127)]],
    ["fd20:ce::254", [network("fc00::", 7), network("fd20:ce::", 64)]],
    ["100.100.100.200", [network("100.64.0.0", 10), network("100.100.100.200", 31)]],
    ["168.63.129.16", [network("168.63.0.0", 16), network("168.63.129.0", 24)]],
    ["169.254.169.254", [network("169.0.0.0", 8), network("169.254.0.0", 15)]],
    ["169.254.170.2", [network("168.0.0.0", 6)]],
    ["fe80::1", [network("fe00::", 9), network("f000::", 4)]],
    ["::ffff:100.100.100.200", [network("100.64.0.0", 10), network("::ffff:0:0", 96)]],
    ["64:ff9b::a9fe:a9fe", [network("64:ff9b::", 96), network("64:ff9b::a9fe:0", 112)]],
    ["64:ff9b::100.100.100.200", [network("64:ff9b::", 96)]],
    ["2002:a9fe:a9fe::1", [network("2002::", 16), network("2002:a9fe:a9fe::", 48)]],
  ])("%s is opened by no name and no wide network, also if there are several", (address, wide) => {
    expect(allows(address, [...wide, ...every, named])).toBe(false);
  });

  test.each<[string, Network]>([
    ["fd00:ec2::254", network("fd00:ec2::254", 128)],
    ["100.100.100.200", network("100.100.100.200", 32)],
    ["::ffff:100.100.100.200", network("100.100.100.200", 32)],
    ["168.63.129.16", network("168.63.129.16", 32)],
    ["169.254.169.254", network("169.254.169.254", 32)],
    ["64:ff9b::a9fe:a9fe", network("64:ff9b::a9fe:a9fe", 128)],
  ])("%s is opened by its single address", (address, entry) => {
    expect(allows(address, [entry])).toBe(true);
    expect(allows(address, [{ ...entry, port: 80 }])).toBe(false);
  });

  test("a network of nothing but link-local addresses opens its own", () => {
    expect(allows("169.254.169.254", [network("169.254.0.0", 16)])).toBe(true);
    expect(allows("169.254.7.1", [network("169.254.7.0", 24)])).toBe(true);
    expect(allows("169.254.169.254", [network("169.254.7.0", 24)])).toBe(false);
    expect(allows("fe80::1", [network("fe80::", 10)])).toBe(true);
    expect(allows("fe80::1%eth0", [network("fe80::", 64)])).toBe(true);
    expect(allows("169.254.169.254", [network("fe80::", 10)])).toBe(false);
  });

  test("the other addresses of a wide network are open", () => {
    expect(["fd00:ec3::1", "fd00::5"].map((address) => allows(address, [network("fd00::", 8)]))).toEqual([true, true]);
    expect(["100.64.0.1", "100.100.100.201"].map((address) => allows(address, [network("100.64.0.0", 10)]))).toEqual([
      true,
      true,
    ]);
  });
});

test.each([
  ["http://2130706433/", "127.0.0.1"],
  ["http://0177.0.0.1/", "127.0.0.1"],
  ["http://0x7f.1/", "127.0.0.1"],
  ["http://127.1/", "127.0.0.1"],
  ["http://①②⑦.0.0.1/", "127.0.0.1"],
  ["http://127.0.0.1./", "127.0.0.1"],
  ["http://[::ffff:127.0.0.1]/", "::ffff:7f00:1"],
  ["http://[::1]/", "::1"],
])("%s is the address %s", (url, address) => {
  expect(literalAddress(targetOf(new URL(url)))).toBe(address);
  expect(allows(address, [], url)).toBe(false);
});

test("a name is none", () => {
  expect(literalAddress(targetOf(new URL("http://localhost./")))).toBe(null);
});
