import { expect, test } from "vitest";
import { isAllowedAddress, literalAddress, targetOf } from "../../src/network/address-guard.ts";
import type { AllowedTarget } from "../../src/model/kit/allowed-target.ts";

const network = (address: string, prefix: number, port: number | null = null): AllowedTarget => ({
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
